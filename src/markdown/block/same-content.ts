import type { Inline, InlineSegment } from '../tree/tree.ts'

/** Whether both have the same content, regardless of how it is divided into segments. */
export function sameContent(one: readonly InlineSegment[], other: readonly InlineSegment[]): boolean {
  return contentOf(one) === contentOf(other)
}

function contentOf(segments: readonly InlineSegment[]): string {
  const joined: Inline[] = []
  for (const inline of segments.flatMap(({ children }) => children)) {
    const last = joined.at(-1)
    if (last?.type === 'text' && inline.type === 'text')
      joined[joined.length - 1] = { type: 'text', text: last.text + inline.text }
    else joined.push(inline)
  }
  return JSON.stringify(joined)
}
