import { useState } from 'react'
import type { ArtifactContent } from './artifact-content.tsx'

/** A version of an artifact, with what it held. */
export interface ArtifactVersion extends ArtifactContent {
  readonly version: number
}

/** Earlier versions that are kept. */
const MOST_KEPT = 20

/**
 * The versions of an artifact, oldest first, the newest last: those that are given, and those that were shown here before. Without a
 * version there is one content only.
 */
export function useVersions(
  content: ArtifactContent,
  version: number | undefined,
  given: readonly ArtifactVersion[],
): readonly ArtifactVersion[] {
  const [latest, setLatest] = useState({ content, version })
  const [seen, setSeen] = useState<readonly ArtifactVersion[]>([])
  const { content: before, version: number } = latest
  const isChanged =
    number !== version ||
    before.text !== content.text ||
    before.data !== content.data ||
    before.mimeType !== content.mimeType
  if (isChanged) {
    setLatest({ content, version })
    // The first version often has no number: it gets one with the second.
    const old = number ?? 1
    if (version !== undefined && old < version && (before.text ?? before.data) !== undefined)
      setSeen([...seen, { ...before, version: old }].slice(-MOST_KEPT))
  }
  if (version === undefined) return []
  const earlier = new Map([...seen, ...given].map((each) => [each.version, each]))
  earlier.delete(version)
  return [...[...earlier.values()].toSorted((one, other) => one.version - other.version), { ...content, version }]
}
