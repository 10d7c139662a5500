import { isCitation } from './close-bracket.ts'
import { isAlive, LONGEST_HELD_INLINE, matchAll, type InlineParserState } from './inline-parser-state.ts'

/** Lets the end of a text that still grows look like what it will probably be. */
export function showOpenEnd(reading: InlineParserState): void {
  holdBrackets(reading)
  holdLastRun(reading)
  matchAll(reading)
  closeOpenRuns(reading)
}

/** As much of `[1]` or `[1, 3]` as there can be before its bracket closes. */
const HALF_CITATION = /^\d{1,3}(?: ?, ?\d{1,3}){0,9}(?: |, ?| , ?)?$/

/** `[te` shows its text, `[^1` shows nothing yet, and in a chat neither does `[1`. */
function holdBrackets(reading: InlineParserState): void {
  const { text, brackets, pieces, runs, references } = reading
  for (const bracket of brackets.toReversed()) {
    const label = text.slice(bracket.at, bracket.at + LONGEST_HELD_INLINE + 1)
    if (label.length > LONGEST_HELD_INLINE) return
    if (!isAlive(reading, bracket)) continue
    const isMark = references.flavor === 'chat' && !bracket.image && HALF_CITATION.test(label)
    if (!isMark && isCitation(label)) continue
    if (isMark || /^\^\S*$/.test(label)) {
      pieces.length = bracket.pieces
      runs.length = bracket.runs
    } else bracket.text = ''
  }
}

/** Marks at the very end are shown as nothing, and close what they can close for sure. */
function holdLastRun(reading: InlineParserState): void {
  const { text, pieces, runs, openEnd } = reading
  const last = pieces.at(-1)
  if (!openEnd || last?.type !== 'run' || last.at + last.length < text.length) return
  const beside = pieces.at(-2)
  if (beside?.type === 'run' && !beside.canOpen && !beside.canClose) beside.left = 0
  if (runs.at(-1) === last) runs.pop()
  matchAll(reading)
  const opener = runs.findLast((run) => run.char === last.char)
  if (last.canClose && opener !== undefined && opener.left <= last.left) {
    runs.push(last)
    matchAll(reading)
    if (runs.at(-1) === last) runs.pop()
    reading.matched = runs.length
  }
  last.left = 0
}

/**
 * Open runs are shown as closed at the end of the text. A single tilde more often means "about" than the start of
 * strikethrough.
 */
function closeOpenRuns({ pieces, runs, text }: InlineParserState): void {
  const closes: number[] = []
  for (const run of runs.toReversed()) {
    if (run.char === '~' && run.left < 2) continue
    for (; run.left > 0; run.left -= closes.at(-1) ?? 1) {
      const marks = Math.min(run.left, 2)
      closes.push(marks)
      run.opens.push(marks)
    }
  }
  pieces.push({
    type: 'run',
    char: '',
    at: text.length,
    length: 0,
    canOpen: false,
    canClose: false,
    left: 0,
    closes,
    opens: [],
  })
}
