import type { Citation } from '../../seam/agent-event.ts'
import type { MessagePart } from '../../state/turn.ts'
import { sameItems } from '../../base/equal-json.ts'

type CitationsPart = Extract<MessagePart, { readonly type: 'citations' }>

const NONE: readonly Citation[] = []
const collected = new WeakMap<
  CitationsPart,
  { readonly from: readonly CitationsPart[]; readonly citations: readonly Citation[] }
>()

/**
 * All sources of a message in order of arrival, which is the order of their numbers. The same id and address is the
 * same source: it keeps its number and its first values; later ones add missing values. A citation with only
 * the same id or only the same address is another source: the agent counts it separately, so its `[3]` must not become
 * 2. Returns the same array while the citations of the message are the same.
 */
export function collectCitations(parts: readonly MessagePart[]): readonly Citation[] {
  const from = parts.filter((part) => part.type === 'citations')
  const last = from.at(-1)
  if (!last) return NONE
  let known = collected.get(last)
  if (!known || !sameItems(known.from, from)) {
    known = { from, citations: merge(from) }
    collected.set(last, known)
  }
  return known.citations
}

function merge(parts: readonly CitationsPart[]): readonly Citation[] {
  const found = new Map<string, Citation>()
  for (const citation of parts.flatMap((part) => part.citations)) {
    const key = JSON.stringify([citation.sourceId, citation.uri])
    const had = found.get(key)
    // The JSON round trip drops undefined fields of the first citation, so that they do not overwrite those of the
    // second.
    found.set(key, had ? { ...citation, ...(JSON.parse(JSON.stringify(had)) as Citation) } : citation)
  }
  return [...found.values()]
}
