import type { References } from '../tree/references.ts'
import { matchRuns, type Floors } from './match-runs.ts'
import type { Bracket, Piece, DelimiterRun } from './piece.ts'

/** Most code units that are held back while their meaning is not decided. */
export const LONGEST_HELD_INLINE = 256

/** One pass over the text of a leaf, from left to right. */
export interface InlineParserState {
  readonly text: string
  readonly references: References
  /** More text may come. */
  readonly growing: boolean
  /** The text grows and its next character is not known. */
  readonly openEnd: boolean
  readonly pieces: Piece[]
  readonly runs: DelimiterRun[]
  readonly brackets: Bracket[]
  /** Ends of raw HTML that do not occur. */
  readonly absent: Set<string>
  readonly findBackticks: (length: number, from: number) => number
  /** Where the next character is read. */
  at: number
  /** Up to where the text went into pieces. */
  from: number
  /** How many of `brackets` are of images. */
  images: number
  /** Link brackets before this index already contain a link, so they cannot become links. */
  barrier: number
  /** A decision depended on the end of the text: no text after it settles. */
  touched: boolean
  /** Number of runs whose openers were searched already, and the result of the searches. */
  matched: number
  readonly floors: Floors
  /** Where the last special character ended, and the last place to cut before it. */
  boundary: number
  cut: number
}

/** The text before `to` is no more than text. */
export function flush(reading: InlineParserState, to: number): void {
  if (to > reading.from) reading.pieces.push({ type: 'text', text: reading.text.slice(reading.from, to) })
  reading.from = to
}

/** What is between the last piece and `to` is text, then comes the piece, then one goes on at `next`. */
export function put(reading: InlineParserState, to: number, next: number, piece?: Piece): void {
  flush(reading, to)
  if (piece !== undefined) reading.pieces.push(piece)
  reading.at = reading.from = next
}

/** Whether the rest, from `at` on, may be kept back: true when it was. */
export function holdBack(reading: InlineParserState, at: number, longest = LONGEST_HELD_INLINE): boolean {
  if (!reading.growing) return false
  const { length } = reading.text
  if (length - at > longest) {
    reading.touched = true
    return false
  }
  put(reading, at, length)
  return true
}

/** Whether the bracket may still become a link or an image. */
export function isAlive(reading: InlineParserState, bracket: Bracket): boolean {
  return bracket.image || bracket.at >= reading.barrier
}

/** Whether a `]` here would match an active bracket. */
export function isInBracket(reading: InlineParserState): boolean {
  const top = reading.brackets.at(-1)
  return reading.images > 0 || (top !== undefined && isAlive(reading, top))
}

/** Notes the last blank before `to` where what comes later cannot change what came before, nor the other way round. */
export function noteCut(reading: InlineParserState, to: number): void {
  const { text, boundary } = reading
  if (reading.touched || !reading.growing || isInBracket(reading)) return
  let blank = to - 1
  while (blank >= boundary && !(text[blank] === ' ' && /[^ \t\n\\]/.test(text.charAt(blank + 1)))) blank--
  if (blank < boundary) return
  matchAll(reading)
  if (reading.runs.length === 0) reading.cut = blank + 1
}

/** Finds openers for all runs outside of brackets that were not asked yet. */
export function matchAll(reading: InlineParserState): void {
  matchRuns(reading.runs, 0, reading.matched, reading.floors)
  reading.matched = reading.runs.length
}
