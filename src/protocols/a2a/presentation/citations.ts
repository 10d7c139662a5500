import { isJsonObject } from '../../../base/json-object.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import type { Citation, SnapshotPart } from '../../agent-event.ts'
import type { Part } from '../schema/message.ts'
import { partsText } from './artifact-parts.ts'

/** Reads what an extension says of sources. `text` is that of the artifact or message it is about. The value is untrusted. */
export type CitationReader = (value: unknown, text: string) => readonly Citation[]

/** Readers by the URI of the extension, which is its key in `metadata`. */
export type CitationReaders = Readonly<Record<string, CitationReader>>

/** More than anybody reads. */
const MOST_CITATIONS = 200

/** The two extensions that are known: that of the specification's example, and that of AgentStack under both of its addresses. */
export const KNOWN_CITATIONS: CitationReaders = {
  'https://standards.org/extensions/citations/v1': (value) =>
    listOf(value, 'sources').flatMap((each, at) => toCitation(each, at, each.relevantText)),
  'https://a2a-extensions.agentstack.beeai.dev/ui/citation/v1': readAgentStack,
  'https://a2a-extensions.beeai.dev/ui/citation/v1': readAgentStack,
}

function readAgentStack(value: unknown, text: string): Citation[] {
  return listOf(value, 'citations').flatMap((each, at) => {
    const { start_index: start, end_index: end } = each
    const isPlace = typeof start === 'number' && typeof end === 'number' && start >= 0 && start < end
    return toCitation(each, at, each.description, isPlace ? text.slice(start, end) : undefined)
  })
}

function toCitation({ url, title }: JsonObject, at: number, snippet: unknown, text?: string): Citation[] {
  if (typeof url !== 'string') return []
  return [
    {
      sourceId: `${at + 1}`,
      uri: url,
      title: typeof title === 'string' && title !== '' ? title : url,
      ...(typeof snippet === 'string' && snippet !== '' ? { snippet } : {}),
      ...(text ? { text } : {}),
    },
  ]
}

function listOf(value: unknown, key: string): JsonObject[] {
  const list = isJsonObject(value) ? value[key] : undefined
  return Array.isArray(list) ? list.filter(isJsonObject).slice(0, MOST_CITATIONS) : []
}

/** The sources that the metadata of an artifact or a message names, as one part. */
export function citationParts(
  id: string,
  metadata: JsonObject | undefined,
  parts: readonly Part[],
  readers: CitationReaders,
): SnapshotPart[] {
  if (metadata === undefined) return []
  const text = partsText(parts)
  const citations = Object.entries(readers).flatMap(([uri, read]) =>
    metadata[uri] === undefined ? [] : read(metadata[uri], text),
  )
  return citations.length === 0 ? [] : [{ partId: `${id}/citations`, part: { type: 'citations', citations } }]
}
