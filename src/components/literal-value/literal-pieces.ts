import { capMarks } from '../../base/cap-marks.ts'

/** A piece of a text: as it is, or the code of characters that nobody would see. */
export interface LiteralPiece {
  readonly text: string
  readonly isCode: boolean
}

/** Control and format characters (direction marks, joiners, tags), fillers and variation selectors; tabs and the ends of lines are seen. */
const UNSEEN =
  '[^\\P{Cc}\\n\\r\\t]|\\r(?!\\n)|[\\p{Cf}\\p{Zl}\\p{Zp}\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u2800\\u3164\\uFFA0\\uFE00-\\uFE0D\\u{E0100}-\\u{E01EF}]|[\\uFE0E\\uFE0F]{2,}'

/** Many empty lines push what follows out of view. */
const EMPTY_LINES = '(?:\\r?\\n[ \\t]*){4,}'

const HIDDEN = new RegExp(`${EMPTY_LINES}|(?:${UNSEEN})+`, 'gu')

/** Codes that one row of unseen characters is written with. */
const MOST_CODES = 4

/** Scripts, and pictures, whose spelling needs joiners between two characters. */
const NEEDS_JOINERS =
  '[\\p{Script=Arab}\\p{Script=Syrc}\\p{Script=Mong}\\p{Script=Deva}\\p{Script=Beng}\\p{Script=Guru}\\p{Script=Gujr}\\p{Script=Orya}\\p{Script=Taml}\\p{Script=Telu}\\p{Script=Knda}\\p{Script=Mlym}\\p{Script=Sinh}\\p{Script=Khmr}\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F]'
const JOINER = new RegExp(`^${NEEDS_JOINERS}[\\u200C\\u200D]${NEEDS_JOINERS}`, 'u')

/** The pieces of a text in which everything that is there can be seen: each row of unseen characters is written as its codes. */
export function literalPieces(text: string): readonly LiteralPiece[] {
  const pieces: LiteralPiece[] = []
  let end = 0
  for (const { 0: row, index } of text.matchAll(HIDDEN)) {
    if (isSpelling(text, index, row)) continue
    if (index > end) pieces.push({ text: capMarks(text.slice(end, index)), isCode: false })
    pieces.push({ text: codesOf(row), isCode: true })
    // The line that follows begins on a line of its own.
    end = index + row.length
    if (isLines(row)) pieces.push({ text: '\n', isCode: false })
  }
  if (end < text.length) pieces.push({ text: capMarks(text.slice(end)), isCode: false })
  return pieces
}

/** Text of an agent on one line, at most `longest` characters of it, with the codes in brackets: where no element can be. */
export function literalLabel(text: string, longest: number): string {
  const line = text.slice(0, longest).replaceAll(/\s+/g, ' ').trim()
  const pieces = literalPieces(line).map((piece) => (piece.isCode ? `[${piece.text}]` : piece.text))
  return `${pieces.join('')}${text.length > longest ? '…' : ''}`
}

/** Whether a row is one joiner that its neighbours are spelled with. */
function isSpelling(text: string, index: number, row: string): boolean {
  if (row !== '\u200C' && row !== '\u200D') return false
  // One character of 16 bits, or the two halves of one.
  const start = /[\uDC00-\uDFFF]/.test(text.charAt(index - 1)) ? index - 2 : index - 1
  return JOINER.test(text.slice(Math.max(0, start), index + 3))
}

function isLines(row: string): boolean {
  return row.startsWith('\n') || row.startsWith('\r\n')
}

function codesOf(row: string): string {
  if (isLines(row)) return `⏎ ×${row.split('\n').length - 1}`
  const codes = Array.from(row, (character) => `U+${hexOf(character)}`)
  const names = [...new Set(codes)]
  const shown = names.slice(0, MOST_CODES).join(' ') + (names.length > MOST_CODES ? ' …' : '')
  return codes.length > names.length || names.length > MOST_CODES ? `${shown} ×${codes.length}` : shown
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
