import type { AgentPart, SnapshotPart } from '../../seam/agent-event.ts'
import type { Message, Part } from './messages.ts'
import type { Artifact } from './messages.ts'

/** An artifact as it is shown. */
export interface ShownArtifact {
  readonly artifact: Artifact
  /** Nothing more of it comes. */
  readonly isWhole: boolean
}

const PROSE: ReadonlySet<string | undefined> = new Set([undefined, '', 'text/plain', 'text/markdown'])

/** Text that reads as an answer, and not as a file. */
export function isProse({ text, mediaType }: Part): boolean {
  return text !== undefined && PROSE.has(mediaType?.split(';', 1)[0])
}

/** Parts in fewer ones: text after text of the same type is one text. Servers give one part for each piece that came. */
export function joined(parts: readonly Part[], more: readonly Part[] = []): Part[] {
  const all = [...parts]
  for (const part of more) {
    const last = all.at(-1)
    if (last?.text !== undefined && part.text !== undefined && last.mediaType === part.mediaType)
      all[all.length - 1] = { ...last, text: last.text + part.text }
    else all.push(part)
  }
  return all
}

/** How much parts hold: characters of texts, files and addresses, and one for each part. */
export function sizeOf(parts: readonly Part[]): number {
  let size = 0
  for (const { text = '', raw = '', url = '' } of parts) size += 1 + text.length + raw.length + url.length
  return size
}

/** A number that tells content from other content (FNV-1a of what is shown of it). Parts are joined. */
export function fingerprintOf(parts: readonly Part[]): number {
  let hash = 0x811c9dc5
  for (const { text, raw, url, data } of parts) {
    const content = JSON.stringify([text, raw, url, data])
    for (let at = 0; at < content.length; at++) hash = Math.imul(hash ^ content.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}

/** The text of parts, without anything between them. */
export function partsText(parts: readonly Part[]): string {
  return parts.map(({ text = '' }) => text).join('')
}

/** The answer of a task: its text as text, whatever else it holds as their own parts. */
export function replyParts({ artifact, isWhole }: ShownArtifact): SnapshotPart[] {
  const prose = artifact.parts.filter(isProse)
  const text: SnapshotPart = { partId: artifact.artifactId, part: { type: 'text', text: partsText(prose) } }
  return [...(prose.length > 0 ? [text] : []), ...otherParts({ artifact, isWhole }, (part) => !isProse(part))]
}

/** Any other artifact: each of its parts as a file that may grow. */
export function artifactParts(shown: ShownArtifact): SnapshotPart[] {
  return otherParts(shown, () => true)
}

function otherParts({ artifact, isWhole }: ShownArtifact, isWanted: (part: Part) => boolean): SnapshotPart[] {
  const { artifactId, name, parts } = artifact
  return parts.flatMap((part, at) =>
    isWanted(part)
      ? [{ partId: `${artifactId}/${at}`, part: toFile(part, artifactId, name, isWhole ? 'complete' : 'growing') }]
      : [],
  )
}

function toFile(part: Part, artifactId: string, title: string | undefined, state: 'growing' | 'complete'): AgentPart {
  const { text, raw, url, data, filename, mediaType } = part
  const image = toImage(part)
  if (image !== undefined) return image
  if (text === undefined && raw === undefined && url === undefined && data === undefined)
    return { type: 'unknown', name: 'part', raw: part }
  return {
    type: 'artifact',
    artifactId,
    name: filename ?? title,
    mimeType: mediaType ?? (text === undefined ? undefined : 'text/plain'),
    state,
    text,
    bytes: raw,
    url,
    data,
  }
}

function toImage({ raw, url, mediaType, filename }: Part): AgentPart | undefined {
  if (mediaType?.startsWith('image/') !== true || (raw === undefined && url === undefined)) return undefined
  return {
    type: 'media',
    items: [{ url: url ?? `data:${mediaType};base64,${raw}`, mimeType: mediaType, alt: filename }],
  }
}

/** A message of the agent: its text, and its files and data as parts. */
export function messageParts({ parts, messageId }: Message): SnapshotPart[] {
  const all = joined([], parts)
  return all.map((part, at): SnapshotPart => {
    const partId = `${messageId}/${at}`
    if (part.text !== undefined) return { partId, part: { type: 'text', text: part.text } }
    if (part.data !== undefined)
      return { partId, part: { type: 'data', data: part.data, name: part.filename, mimeType: part.mediaType } }
    return { partId, part: toFile(part, partId, undefined, 'complete') }
  })
}
