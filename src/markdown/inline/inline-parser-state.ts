import { normalizeLabel, type LinkDefinition, type References, type Inline } from './tree.ts'
import {
  destinationOf,
  MORE,
  NO,
  scanLinkDestination,
  scanLinkLabel,
  scanLinkTitle,
  skipBlanks,
  linkTitle,
} from './link-parts.ts'

const LONGEST_LABEL = 999

const LONGEST_HELD_ADDRESS = 2048

interface Target {
  readonly end: number
  readonly definition: LinkDefinition
}

/** `(address "title")`, whose parenthesis is at `at`. */
function scanInlineTarget(text: string, at: number): Target | typeof NO | typeof MORE {
  const from = skipBlanks(text, at + 1)
  const to = scanLinkDestination(text, from)
  if (to < 0) return to === MORE ? MORE : NO
  let end = skipBlanks(text, to)
  let title: string | undefined
  if (end > to && text[end] !== ')') {
    const past = scanLinkTitle(text, end)
    if (past < 0) return past === MORE ? MORE : NO
    title = linkTitle(text, end, past)
    end = skipBlanks(text, past)
  }
  if (text[end] !== ')') return end >= text.length ? MORE : NO
  return { end: end + 1, definition: { url: destinationOf(text, from, to), ...(title !== undefined && { title }) } }
}

/** The label behind the brackets, or in them. */
function scanReference({ text, references }: InlineParserState, open: Bracket, at: number): Target | undefined {
  const past = scanLinkLabel(text, at + 1)
  if (past < 0 && (open.hasBracket || at - open.at > LONGEST_LABEL)) return undefined
  const label = normalizeLabel(past < 0 ? text.slice(open.at, at) : text.slice(at + 2, past - 1))
  const definition = label === '' ? undefined : references.resolve(label)
  if (definition === undefined) return undefined
  return { end: past > 0 ? past : text.startsWith('[]', at + 1) ? at + 3 : at + 1, definition }
}

function readFootnote(reading: InlineParserState, open: Bracket, at: number): boolean {
  const { text, pieces, runs } = reading
  if (text[open.at] !== '^' || open.hasBracket || at - open.at > LONGEST_LABEL) return false
  const label = normalizeLabel(text.slice(open.at + 1, at))
  if (label === '' || !reading.references.isFootnote(label)) return false
  pieces.length = open.pieces
  runs.length = open.runs
  if (open.image) pieces.push({ type: 'text', text: '!' })
  reading.from = at
  put(reading, at, at + 1, { type: 'footnote-reference', label })
  return true
}

/** It is not known yet whether this is a link: only the text between the brackets is shown. */
function holdTarget(reading: InlineParserState, open: Bracket, at: number): boolean {
  const { text } = reading
  const longest = /[ \n]/.test(text.slice(at, at + LONGEST_HELD_ADDRESS)) ? LONGEST_HELD_INLINE : LONGEST_HELD_ADDRESS
  if (!holdBack(reading, at, longest)) return false
  open.text = ''
  closeRuns(reading, open)
  return true
}

/** Emphasis within the brackets never leaves them. */
function closeRuns({ runs }: InlineParserState, open: Bracket): void {
  matchRuns(runs, open.runs, open.runs, new Map())
  runs.length = open.runs
}

/** Whether brackets around the label are shown immediately: `[1]` is a citation, not an incomplete link. */
export function isCitation(label: string): boolean {
  return /^\d[\d\s,;-]*$/.test(label)
}

/** Reads the `]` at reading.at: a link, an image, a footnote or no more than a bracket. */
export function closeBracket(reading: InlineParserState): void {
  const { text, at, brackets } = reading
  reading.at++
  const open = brackets.pop()
  if (open === undefined) return
  if (open.image) reading.images--
  if (!isAlive(reading, open)) return

  const inline = text[at + 1] === '(' ? scanInlineTarget(text, at + 1) : NO
  // `[1][2]` is more often two citations than a link.
  const mayBeLink = reading.growing && text[open.at] !== '^' && !isCitation(text.slice(open.at, at))
  const mayHaveLabel = mayBeLink || (text[open.at] !== '^' && !/[\d^]/.test(text[at + 2] ?? '^'))
  const half = inline === MORE || (mayHaveLabel && text[at + 1] === '[' && scanLinkLabel(text, at + 1) === MORE)
  if (half && holdTarget(reading, open, at)) return
  const target = typeof inline === 'object' ? inline : scanReference(reading, open, at)
  if (target === undefined) {
    if (readFootnote(reading, open, at)) return
    if (mayBeLink && reading.openEnd && at + 1 === text.length) holdTarget(reading, open, at)
    return
  }
  flush(reading, at)
  open.target = target.definition
  closeRuns(reading, open)
  if (!open.image) reading.barrier = open.at
  put(reading, at, target.end, { type: 'close', text: text.slice(at, target.end) })
}

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

/** What is between the last piece and `to` is text, then comes the piece, then one continues at `next`. */
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

/** Records the last blank before `to` at which the text before and after it are independent. */
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

/** Index below which there is no opener, by kind of closer. It keeps the search linear. */
type Floors = Map<string, number>

/**
 * Pairs closers with openers, from the run `next` on; openers are looked for down to the run `bottom`. Runs that can still open
 * something stay in `runs`, all others leave it.
 */
function matchRuns(runs: DelimiterRun[], bottom: number, next: number, floors: Floors): void {
  let kept = next
  for (const closer of runs.slice(next)) {
    while (closer.canClose && closer.left > 0) {
      const kind = closer.char + closer.canOpen + (closer.length % 3)
      const opener = findOpener(runs, kept, bottom, closer, floors.get(kind) ?? 0)
      if (opener < 0) {
        floors.set(kind, closer.at)
        break
      }
      kept = opener + pair(runs[opener], closer)
    }
    if (closer.canOpen && closer.left > 0) runs[kept++] = closer
  }
  runs.length = kept
}

function findOpener(
  runs: readonly DelimiterRun[],
  top: number,
  bottom: number,
  closer: DelimiterRun,
  floor: number,
): number {
  for (let at = top - 1; at >= bottom; at--) {
    const opener = runs[at]
    if (opener === undefined || opener.at < floor) return -1
    if (opener.char === closer.char && fits(opener, closer)) return at
  }
  return -1
}

function fits(opener: DelimiterRun, closer: DelimiterRun): boolean {
  if (closer.char === '~') return opener.length === closer.length
  return !(opener.canClose || closer.canOpen) || closer.length % 3 === 0 || (opener.length + closer.length) % 3 !== 0
}

/** 1 when the opener has marks left. */
function pair(opener: DelimiterRun | undefined, closer: DelimiterRun): 0 | 1 {
  if (opener === undefined) return 0
  const marks = Math.min(opener.left, closer.left, 2)
  opener.left -= marks
  closer.left -= marks
  opener.opens.push(marks)
  closer.closes.push(marks)
  return opener.left > 0 ? 1 : 0
}

/** A run of `*`, `_` or `~`. Its marks go to what it closes from the left, to what it opens from the right; what is left stays text. */
export interface DelimiterRun {
  readonly type: 'run'
  readonly char: string
  readonly at: number
  readonly length: number
  readonly canOpen: boolean
  readonly canClose: boolean
  /** Marks that found no partner yet. */
  left: number
  /** How many marks each thing took that it closes, in order. */
  readonly closes: number[]
  /** The same of what it opens, the innermost first. */
  readonly opens: number[]
}

/** A `[` or `![`. */
export interface Bracket {
  readonly type: 'bracket'
  /** As written; empty where it is not shown. */
  text: string
  readonly image: boolean
  /** Where its content begins. */
  readonly at: number
  /** How many pieces and runs came before it. */
  readonly pieces: number
  readonly runs: number
  /** Another bracket came after it: what it holds is not a label. */
  hasBracket: boolean
  /** It became a link or an image. */
  target?: LinkDefinition
}

/** The end of a link or an image. */
interface Close {
  readonly type: 'close'
  /** As written, for the link that is too deep to be one. */
  readonly text: string
}

export type Piece = Inline | DelimiterRun | Bracket | Close
