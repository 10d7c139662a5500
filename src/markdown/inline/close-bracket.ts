import { normalizeLabel, type LinkDefinition } from '../tree/references.ts'
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
import { matchRuns } from './match-runs.ts'
import type { Bracket } from './piece.ts'
import { flush, holdBack, isAlive, LONGEST_HELD_INLINE, put, type InlineParserState } from './inline-parser-state.ts'

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
