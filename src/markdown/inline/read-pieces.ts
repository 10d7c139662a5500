import type { MarkdownFlavor, References } from './tree.ts'
import { scanBareAutolink, scanPointedAutolink, ENDS_UNSPACED, UNSPACED } from './autolinks.ts'
import { isAsciiPunctuation, MORE, NO, skipBlanks } from './link-parts.ts'
import {
  closeBracket,
  isCitation,
  flush,
  holdBack,
  isInBracket,
  matchAll,
  noteCut,
  put,
  type InlineParserState,
  isAlive,
  LONGEST_HELD_INLINE,
  type Piece,
  type DelimiterRun,
} from './inline-parser-state.ts'
import { buildInlines } from './build-inlines.ts'
import { decodeEntity, rareSyntax } from './rare-syntax.ts'

/** Lets the end of a text that still grows look like what it will probably be. */
function showOpenEnd(reading: InlineParserState): void {
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

const BLANK = /[\t\n\f\r\p{Zs}]/u
const PUNCTUATION = /[\p{P}\p{S}]/u

/**
 * The run of `*`, `_` or `~` at `at`, and whether its neighbours let it open or close. Tildes do not count as
 * neighbours, so that a bold word can be struck out. In a chat, words of scripts without spaces need none beside the run, and one tilde
 * means *about*.
 */
function scanRun(text: string, at: number, flavor: MarkdownFlavor): DelimiterRun {
  const char = text[at] ?? ''
  let end = at + 1
  while (text[end] === char) end++
  const before = characterBefore(text, at)
  const after = characterAfter(text, end)
  const isChat = flavor === 'chat'
  const opens = leans(before, after, isChat)
  const closes = leans(after, before, isChat)
  const inWord = char === '_'
  const length = end - at
  const isMark = char !== '~' || length === 2 || (length === 1 && !isChat)
  return {
    type: 'run',
    char,
    at,
    length,
    canOpen: isMark && opens && (!inWord || !closes || PUNCTUATION.test(before)),
    canClose: isMark && closes && (!inWord || !opens || PUNCTUATION.test(after)),
    left: length,
    closes: [],
    opens: [],
  }
}

function characterBefore(text: string, at: number): string {
  let end = at
  while (text[end - 1] === '~') end--
  const before = text.slice(Math.max(end - 2, 0), end)
  return (before.codePointAt(0) ?? 0) > 0xffff ? before : before.slice(-1) || '\n'
}

function characterAfter(text: string, at: number): string {
  let start = at
  while (text[start] === '~') start++
  return String.fromCodePoint(text.codePointAt(start) ?? 10)
}

/** Flanking: the run belongs to the text on the one side and not to that on the other. */
function leans(away: string, toward: string, isChat: boolean): boolean {
  if (BLANK.test(toward)) return false
  if (!PUNCTUATION.test(toward) || BLANK.test(away) || PUNCTUATION.test(away)) return true
  return isChat && (UNSPACED.test(away) || UNSPACED.test(toward))
}

/** Marks of formulas without what they mark. */
const LONGEST_MARK = 2

/** Reads the formula at reading.at. One that is not closed yet is shown as its source. False: no formula begins there. */
function readFormula(reading: InlineParserState): boolean {
  const { text, at } = reading
  const found = reading.references.math?.scan(text, at, reading.openEnd)
  if (found === undefined) return false
  if (typeof found === 'object') put(reading, at, at + found.source.length, found)
  else if (!holdBack(reading, at, found)) return false
  else if (text.length - at > LONGEST_MARK) reading.pieces.push({ type: 'text', text: text.slice(at) })
  return true
}

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

/** Finds the ends of code spans in one text, in time linear to it however many are looked for. */
function createBacktickFinder(text: string): (length: number, from: number) => number {
  let last: Map<number, number> | undefined
  return (length, from) => {
    last ??= lastRuns(text)
    if ((last.get(length) ?? -1) < from) return -1
    const runs = /`+/g
    runs.lastIndex = from
    for (let run = runs.exec(text); run !== null; run = runs.exec(text)) if (run[0].length === length) return run.index
    return -1
  }
}

/** Where the last run of each length begins. */
function lastRuns(text: string): Map<number, number> {
  const last = new Map<number, number>()
  for (const run of text.matchAll(/`+/g)) last.set(run[0].length, run.index)
  return last
}

/** What a code span says, by what is between its backticks. */
function codeSpanText(raw: string): string {
  const text = raw.replaceAll('\n', ' ')
  return text.startsWith(' ') && text.endsWith(' ') && /[^ ]/.test(text) ? text.slice(1, -1) : text
}
