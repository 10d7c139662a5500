import type { Footnote } from '../tree/tree.ts'

/** In the order of their keys. */
export function withFootnote(footnotes: readonly Footnote[], footnote: Footnote): readonly Footnote[] {
  if ((footnotes.at(-1)?.key ?? -1) < footnote.key) return [...footnotes, footnote]
  const after = footnotes.findLastIndex((other) => other.key < footnote.key) + 1
  return [...footnotes.slice(0, after), footnote, ...footnotes.slice(after)]
}
