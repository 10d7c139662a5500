import { placeholderOf, withoutPlaces } from '../../markdown/view/places.tsx'
import type { TextGap } from './markdown-engine.ts'

/** What begins a block and hardly ever goes on in the middle of a line. */
const BLOCK = /^(?:#{1,6} |[-*+] |\d{1,9}[.)] |```|~~~)/
/** What would make a heading of the line above it. */
const UNDERLINE = /^ {0,3}(?:=|-(?! ))/

/**
 * A text with a place for each of its gaps, and without whatever the agent wrote that looks like one. Text behind a gap begins
 * a line where the text before ended one, or where it begins as only a line does; else it goes on in the line.
 */
export function withPlaces(text: string, gaps: readonly TextGap[]): string {
  let joined = withoutPlaces(text.slice(0, gaps[0]?.at))
  let between = joined === '' || joined.endsWith('\n')
  for (const [index, { at }] of gaps.entries()) {
    const next = withoutPlaces(text.slice(at, gaps[index + 1]?.at))
    joined += placeholderOf(index)
    if (next === '') continue
    joined += (between || BLOCK.test(next) ? (UNDERLINE.test(next) ? '\n\n' : '\n') : '') + next
    between = next.endsWith('\n')
  }
  return joined
}
