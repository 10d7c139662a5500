import { holdBack, put, type InlineParserState } from './inline-parser-state.ts'

/** Marks of formulas without what they mark. */
const LONGEST_MARK = 2

/** Reads the formula at reading.at. One that is not closed yet is shown as its source. False: no formula begins there. */
export function readFormula(reading: InlineParserState): boolean {
  const { text, at } = reading
  const found = reading.references.math?.scan(text, at, reading.openEnd)
  if (found === undefined) return false
  if (typeof found === 'object') put(reading, at, at + found.source.length, found)
  else if (!holdBack(reading, at, found)) return false
  else if (text.length - at > LONGEST_MARK) reading.pieces.push({ type: 'text', text: text.slice(at) })
  return true
}
