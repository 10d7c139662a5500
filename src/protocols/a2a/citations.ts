import { isJsonObject } from '../../base/json-object.ts'
import type { JsonObject } from '../../base/json-object.ts'
import type { Citation, SnapshotPart } from '../../seam/agent-event.ts'
import type { Part } from './messages.ts'
import { partsText } from './artifact-parts.ts'

/** Reads what an extension says of sources. `text` is that of the artifact or message it is about. The value is untrusted. */
export type CitationReader = (value: unknown, text: string) => readonly Citation[]

/** Readers by the URI of the extension, which is its key in `metadata`. */
export type CitationReaders = Readonly<Record<string, CitationReader>>

/** More than anybody reads. */
const MOST_CITATIONS = 200

const agentStack = readerOf('citations', 'description')

/** The two extensions that are known: that of the specification's example, and that of AgentStack under both of its addresses. */
export const KNOWN_CITATIONS: CitationReaders = {
  'https://standards.org/extensions/citations/v1': readerOf('sources', 'relevantText'),
  'https://a2a-extensions.agentstack.beeai.dev/ui/citation/v1': agentStack,
  'https://a2a-extensions.beeai.dev/ui/citation/v1': agentStack,
}

/** Reads the list under one key; the words of each source are under another. */
function readerOf(list: string, words: string): CitationReader {
  return (value, text) => {
    const sources = isJsonObject(value) ? value[list] : undefined
    return (Array.isArray(sources) ? sources : [])
      .filter(isJsonObject)
      .slice(0, MOST_CITATIONS)
      .flatMap(({ url, title, start_index: start, end_index: end, [words]: snippet }, at): Citation[] => {
        if (typeof url !== 'string') return []
        const isPlace = typeof start === 'number' && typeof end === 'number' && start >= 0 && start < end
        return [
          {
            sourceId: `${at + 1}`,
            uri: url,
            title: typeof title === 'string' && title !== '' ? title : url,
            snippet: typeof snippet === 'string' && snippet !== '' ? snippet : undefined,
            text: (isPlace && text.slice(start, end)) || undefined,
          },
        ]
      })
  }
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
