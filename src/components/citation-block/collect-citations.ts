import type { Citation } from '../../protocols/agent-event.ts'
import type { MessagePart } from '../../state/message.ts'

/** All sources of a message in order of arrival, each once: the same id and address is the same source. */
export function collectCitations(parts: readonly MessagePart[]): readonly Citation[] {
  const found = new Map<string, Citation>()
  for (const part of parts) {
    if (part.type !== 'citations') continue
    for (const citation of part.citations) {
      const key = JSON.stringify([citation.sourceId, citation.uri])
      if (!found.has(key)) found.set(key, citation)
    }
  }
  return [...found.values()]
}
