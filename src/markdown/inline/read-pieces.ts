import type { MarkdownFlavor, References } from '../tree/references.ts'
import { scanBareAutolink, scanPointedAutolink } from './autolinks.ts'
import { codeSpanText, createBacktickFinder } from './backticks.ts'
import { closeBracket } from './close-bracket.ts'
import { buildInlines } from './build-inlines.ts'
import { decodeEntity } from './decode-entity.ts'
import { isAsciiPunctuation, MORE, NO, skipBlanks } from './link-parts.ts'
import type { Piece } from './piece.ts'
import { flush, holdBack, isInBracket, matchAll, noteCut, put, type InlineParserState } from './inline-parser-state.ts'
import { rareSyntax } from './rare-syntax.ts'
import { readFormula } from './read-formula.ts'
import { scanRun } from './scan-run.ts'
import { showOpenEnd } from './show-open-end.ts'
import { ENDS_UNSPACED } from './unspaced.ts'

const SPECIAL = /[\n!$&*<[\\\]_`~]|:\/\/|www\./g
const ENTITY = /&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,31});/iy
const HALF_ENTITY = /&(?:#x?[\da-f]*|[a-z][a-z\d]*)?$/iy
const HALF_ADDRESS = /<(?:[a-z][^\s<>]*)?$/iy
/** What may begin raw HTML, or may once more of it is here. */
const HTML_START = /^<(?:[a-z/!?]|$)/i
const LONGEST_ENTITY = 33
const BEFORE_WWW = /[\s*_~(]/
/** Line breaks, lowered and raised text and keys, as HTML has them. */
const CHAT_TAG = /<(?:br *\/?|(sub|sup|kbd)>([^<\n]*)<\/\1)>/iy
/** The same where its end may still come. */
const HALF_CHAT_TAG = /<(?:b(?:r *\/?)?|s(?:u[bp]?)?|k(?:bd?)?|(sub|sup|kbd)>([^<\n]*)(?:<(?:\/[a-z]*)?)?)?$/iy

const flavorOf = ({ references }: InlineParserState): MarkdownFlavor => references.flavor ?? 'commonmark'

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function readLineEnd(reading: InlineParserState): void {
  const { text, at, from } = reading
  let end = at
  while (end > from && text[end - 1] === ' ') end--
  put(reading, end, skipBlanks(text, at), { type: at - end > 1 ? 'break' : 'softbreak' })
}

function readBackslash(reading: InlineParserState): void {
  const { text, at } = reading
  if (text[at + 1] === '\n') put(reading, at, skipBlanks(text, at + 1), { type: 'break' })
  else if (isAsciiPunctuation(text.charCodeAt(at + 1))) {
    put(reading, at, at + 1)
    reading.at++
  } else if (at + 1 < text.length || !reading.openEnd || !holdBack(reading, at)) reading.at++
}

function readBackticks(reading: InlineParserState): void {
  const { text, at } = reading
  let end = at
  while (text[end] === '`') end++
  const close = reading.findBackticks(end - at, end)
  if (close >= 0) put(reading, at, close + end - at, { type: 'code', text: codeSpanText(text.slice(end, close)) })
  else if (!holdBack(reading, at)) reading.at = end
  else {
    const code = reading.openEnd ? text.slice(end).replace(/`+$/, '') : text.slice(end)
    if (code !== '') reading.pieces.push({ type: 'code', text: code.replaceAll('\n', ' ') })
  }
}

/** What these tags mean is shown, since people write them in markdown. False: none of them is here. */
function readChatTag(reading: InlineParserState): boolean {
  const { text, at, openEnd } = reading
  CHAT_TAG.lastIndex = at
  const tag = CHAT_TAG.exec(text)
  if (tag !== null) {
    const [{ length }, name, content = ''] = tag
    put(reading, at, at + length, name === undefined ? { type: 'break' } : taggedText(reading, name, content))
    return true
  }
  HALF_CHAT_TAG.lastIndex = at
  const half = openEnd ? HALF_CHAT_TAG.exec(text) : null
  if (half === null || !holdBack(reading, at)) return false
  const [, name, content = ''] = half
  if (name !== undefined && content !== '') reading.pieces.push(taggedText(reading, name, content))
  return true
}

function taggedText({ references }: InlineParserState, name: string, content: string): Piece {
  // The pattern takes these three, in any case.
  const type = name.toLowerCase() as 'sub' | 'sup' | 'kbd'
  return { type, children: buildInlines(readPieces(content, references).pieces) }
}

function readPointed(reading: InlineParserState): void {
  const { text, at } = reading
  if (flavorOf(reading) === 'chat' && readChatTag(reading)) return
  const link = scanPointedAutolink(text, at)
  if (link !== undefined) return put(reading, at, at + link.length, link.node)
  const syntax = HTML_START.test(text.slice(at, at + 2)) ? rareSyntax() : undefined
  const end = syntax?.scanHtml(text, at, reading.absent) ?? NO
  if (end > 0) return put(reading, at, end, { type: 'html', text: text.slice(at, end) })
  const half = end === MORE || (reading.openEnd && matchAt(HALF_ADDRESS, text, at) !== undefined)
  if (!half || !holdBack(reading, at)) reading.at++
}

function readEntity(reading: InlineParserState): void {
  const { text, at, openEnd } = reading
  const entity = matchAt(ENTITY, text, at)
  const decoded = entity === undefined ? undefined : decodeEntity(entity)
  if (entity !== undefined && decoded !== undefined)
    put(reading, at, at + entity.length, { type: 'text', text: decoded })
  else if (
    !openEnd ||
    text.length - at > LONGEST_ENTITY ||
    matchAt(HALF_ENTITY, text, at) === undefined ||
    !holdBack(reading, at)
  )
    reading.at++
}

function openBracket(reading: InlineParserState, length: 1 | 2): void {
  const { text, at, brackets, pieces, runs } = reading
  const top = brackets.at(-1)
  if (top !== undefined) top.hasBracket = true
  flush(reading, at)
  const bracket = {
    type: 'bracket' as const,
    text: text.slice(at, at + length),
    image: length === 2,
    at: at + length,
    pieces: pieces.length,
    runs: runs.length,
    hasBracket: false,
  }
  brackets.push(bracket)
  if (bracket.image) reading.images++
  put(reading, at, at + length, bracket)
}

function readBareLink(reading: InlineParserState, isWww: boolean): void {
  const { text, at, from } = reading
  let start = at
  if (!isWww) start -= /(?:^|[^a-z])(https?)$/i.exec(text.slice(Math.max(from, at - 6), at))?.[1]?.length ?? 0
  const before = text.slice(Math.max(at - 2, 0), at)
  const isApart = BEFORE_WWW.test(before.slice(-1)) || (flavorOf(reading) === 'chat' && ENDS_UNSPACED.test(before))
  const mayBegin = isWww ? at === 0 || isApart : start < at
  // An entity at the end of a link is no part of it.
  const known =
    text.length - (reading.openEnd ? (/(?:&[a-z\d]*)?$/i.exec(text.slice(-LONGEST_ENTITY))?.[0].length ?? 0) : 0)
  const link =
    mayBegin && !isInBracket(reading)
      ? scanBareAutolink(text.slice(0, known), start, isWww ? at + 4 : at + 3, flavorOf(reading))
      : undefined
  if (link === undefined) reading.at += 3
  else put(reading, start, start + link.length, link.node)
}

function readSpecial(reading: InlineParserState, special: string): void {
  const { text, at } = reading
  switch (special) {
    case '\n':
      return readLineEnd(reading)
    case '\\':
      if (!readFormula(reading)) readBackslash(reading)
      return
    case '$':
      if (!readFormula(reading)) reading.at++
      return
    case '`':
      return readBackticks(reading)
    case '<':
      return readPointed(reading)
    case '&':
      return readEntity(reading)
    case '[':
      return openBracket(reading, 1)
    case ']':
      return closeBracket(reading)
    case '!':
      if (text[at + 1] === '[') openBracket(reading, 2)
      else if (at + 1 < text.length || !reading.openEnd || !holdBack(reading, at)) reading.at++
      return
    case '*':
    case '_':
    case '~': {
      const run = scanRun(text, at, flavorOf(reading))
      if (run.canOpen || run.canClose) reading.runs.push(run)
      return put(reading, at, at + run.length, run)
    }
    default:
      readBareLink(reading, special === 'www.')
  }
}

/**
 * The pieces of a text, in order. While it is `growing` its end is made to look like what it will probably be, and `cut` says up
 * to where it is settled; 0 for nowhere.
 */
export function readPieces(
  text: string,
  references: References,
  growing = false,
  openEnd = growing,
): { readonly pieces: readonly Piece[]; readonly cut: number } {
  const start = skipBlanks(text, 0)
  const reading: InlineParserState = {
    text,
    references,
    growing,
    openEnd,
    pieces: [],
    runs: [],
    brackets: [],
    absent: new Set(),
    findBackticks: createBacktickFinder(text),
    at: start,
    from: start,
    images: 0,
    barrier: 0,
    touched: false,
    matched: 0,
    floors: new Map(),
    boundary: start,
    cut: 0,
  }
  while (reading.at < text.length) {
    SPECIAL.lastIndex = reading.at
    const special = SPECIAL.exec(text)
    reading.at = special?.index ?? text.length
    noteCut(reading, reading.at)
    if (special !== null) readSpecial(reading, special[0])
    reading.boundary = reading.at
  }
  flush(reading, text.length)
  if (growing) showOpenEnd(reading)
  else matchAll(reading)
  return reading
}
