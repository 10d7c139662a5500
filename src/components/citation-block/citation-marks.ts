import { copyText } from '../../base/copy-text.ts'
import type { Citation } from '../../seam/agent-event.ts'

/** The highest number that a mark can name. */
const MOST_MARKED = 999
/** On one line: text is cut at line breaks. */
const MARK = /(\[\d{1,3}(?: ?, ?\d{1,3}){0,9}\])/

/** Text taken apart at what may be a mark, such as `[1]` and `[1, 3]`: every second stretch is one. Joined they are the text again. */
export function splitAtMarks(text: string): readonly string[] {
  return text.split(MARK)
}

/** What may be the beginning of a mark, at the end of a text that grows. */
const HALF_MARK = /\[(?:\d{1,3}(?: ?, ?\d{1,3}){0,9}(?: |, ?| , ?)?)?$/

/** A text that grows, without half of a mark at its end: it comes as a whole. */
export function withoutHalfMark(text: string): string {
  return text.replace(HALF_MARK, '')
}

/** Whether a figure in a mark names a source that is there, or may come. */
export function namesSource(figure: string, citations: readonly Citation[], live: boolean): boolean {
  return citations[+figure - 1] !== undefined || (live && +figure > 0)
}

/** Few enough characters that what was read is rarely touched again, and a selection in it stays; enough that a long text has hundreds of pieces, not thousands. */
const PIECE = 250

/**
 * Cuts text after line breaks into pieces of some hundred characters. Where a cut falls depends only
 * on what is before it, so while text grows every piece but the last stays the same string.
 */
export function cutText(text: string): readonly string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start + PIECE) + 1 || text.length
    pieces.push(copyText(text.slice(start, end)))
    start = end
  }
  return pieces
}

/**
 * The text with a mark after the words that a citation says it supports, where the agent wrote no mark for
 * it. The words must be there letter by letter, and the first place counts: `indices` are left alone, for
 * nobody says whether they count bytes, UTF-16 units or characters.
 */
export function markSupported(text: string, citations: readonly Citation[]): string {
  return citations.slice(0, MOST_MARKED).reduce((marked, { text: words }, index) => {
    const mark = `[${index + 1}]`
    return !words?.trim() || marked.includes(mark) ? marked : marked.replace(words, () => words + mark)
  }, text)
}
