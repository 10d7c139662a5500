'use client'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { ArcpArtifact } from '../fold/arcp-state.ts'
import type { ArcpHookOptions } from './arcp-provider.tsx'
import { useArcpClient } from './arcp-provider.tsx'
import type { ArtifactSnapshot } from './artifact-cache.ts'
import { cachedArtifact, NOT_FETCHED } from './artifact-cache.ts'
import { useArcpView } from './use-arcp-view.ts'

export interface ArcpArtifactHookOptions extends ArcpHookOptions {
  /** Fetches the content when it is shown first. @default false */
  readonly load?: boolean | undefined
}

/** What {@link useArcpArtifact} returns. */
export interface ArcpArtifactResult extends ArtifactSnapshot {
  /** The runtime's description of it. Undefined: none in this session. */
  readonly artifact: ArcpArtifact | undefined
  /** Fetches the content, again when it is there: what is there stays until another one comes. Never rejects. */
  load(): Promise<void>
  /** Releases it at the runtime: nobody can fetch it any more. Never rejects. */
  release(): Promise<void>
}

/**
 * An artifact of the session, and its content once it is fetched: once for all components that show it.
 *
 * @example
 * ```tsx
 * import { useArcpArtifact } from 'capstan/react'
 *
 * export function Report({ id }: { id: string }) {
 *   const { content, status, load } = useArcpArtifact(id)
 *   return content ? <pre>{content.text}</pre> : <button onClick={() => void load()}>{status}</button>
 * }
 * ```
 */
export function useArcpArtifact(artifactId: string, options: ArcpArtifactHookOptions = {}): ArcpArtifactResult {
  const client = useArcpClient(options.client, 'useArcpArtifact')
  const cached = cachedArtifact(client, artifactId)
  const artifact = useArcpView(client, ({ state }) => state.artifacts.get(artifactId))
  const snapshot = useSyncExternalStore(cached.subscribe, cached.getSnapshot, notLoaded)
  const isWanted = options.load === true
  useEffect(() => {
    if (isWanted && cached.getSnapshot().status === 'idle') void cached.load()
  }, [cached, isWanted])
  return useMemo(
    () => ({ ...snapshot, artifact, load: cached.load, release: cached.release }),
    [snapshot, artifact, cached],
  )
}

/** On a server, and in the first render of a page that was rendered there. */
function notLoaded(): ArtifactSnapshot {
  return NOT_FETCHED
}
