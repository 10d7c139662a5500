import type { LineCursor } from './line-cursor.ts'
import { isBlank, trimBlankEnd, trimBlanks, trimBlankStart } from './trim-blanks.ts'

/** Characters with which something other than a paragraph can begin. */
const SPECIAL = /[#>`~<=*_+|:\d[$\\-]/

/** Whether a line that goes on like this may be more than text. */
export function maybeBlockStart(cursor: LineCursor): boolean {
  return SPECIAL.test(cursor.line.charAt(cursor.next))
}

/** `***`, `- - -`. */
export function isThematicBreak(cursor: LineCursor): boolean {
  const { line, next } = cursor
  const marker = line.charCodeAt(next)
  if (next < cursor.unbroken || (marker !== 42 && marker !== 45 && marker !== 95)) return false
  let count = 0
  let at = next
  for (; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === marker) count++
    else if (!isBlank(code)) break
  }
  if (at >= line.length && count >= 3) return true
  // The markers up to there begin lists, perhaps a hundred of them: none needs to look again.
  cursor.unbroken = at
  return false
}

/** `## text ##`. `gap`: what follows the text. */
export function headingStart(
  line: string,
): { readonly level: 1 | 2 | 3 | 4 | 5 | 6; readonly text: string; readonly gap: string } | undefined {
  const marker = /^#{1,6}(?=[ \t]|$)/.exec(line)?.[0]
  if (marker === undefined) return undefined
  const whole = trimBlankStart(line.slice(marker.length))
  const text = withoutClosing(trimBlankEnd(whole))
  // The pattern takes one to six of them.
  return { level: marker.length as 1 | 2 | 3 | 4 | 5 | 6, text, gap: whole.slice(text.length) }
}

function withoutClosing(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === 35) end--
  if (end === text.length || (end > 0 && !isBlank(text.charCodeAt(end - 1)))) return text
  return trimBlankEnd(text.slice(0, end))
}

/** The marks that open fenced code. */
export function fenceStart(text: string): string | undefined {
  const fence = /^(?:`{3,}|~{3,})/.exec(text)?.[0]
  return fence === undefined || (fence.startsWith('`') && text.includes('`', fence.length)) ? undefined : fence
}

/** The level of the heading that `text` makes of the paragraph above it. */
export function underlineLevel(text: string): 1 | 2 | undefined {
  if (!/^(?:=+|-+)[ \t]*$/.test(text)) return undefined
  return text.startsWith('=') ? 1 : 2
}

/** The label of the footnote that `text` begins, and its length with all around it. */
export function footnoteStart(text: string): { readonly label: string; readonly length: number } | undefined {
  const match = /^\[\^((?:\\[[\\\]]|[^[\] \t]){1,999})\]:[ \t]*/.exec(text)
  return match?.[1] === undefined ? undefined : { label: match[1], length: match[0].length }
}

export interface ListMarker {
  /** What all items of its list have. */
  readonly marker: string
  readonly ordered: boolean
  readonly start: number
  /** Columns that what belongs to the item is indented by. */
  readonly indent: number
}

/** Moves over a list marker and the blanks that belong to it. */
export function takeListMarker(cursor: LineCursor, interruptsParagraph: boolean): ListMarker | undefined {
  const { line, next, indent } = cursor
  const digits = /^\d{1,9}(?=[.)])/.exec(line.slice(next, next + 10))?.[0]
  const length = (digits?.length ?? 0) + 1
  const marker = line.charAt(next + length - 1)
  if (digits === undefined && !/[*+-]/.test(marker)) return undefined
  const behind = line.charCodeAt(next + length)
  if (next + length < line.length && !isBlank(behind)) return undefined
  const start = digits === undefined ? 1 : Number(digits)
  if (interruptsParagraph && (start !== 1 || trimBlanks(line.slice(next + length)) === '')) return undefined

  cursor.skipBlanks()
  cursor.skip(length)
  const width = cursor.indent
  const blanks = cursor.blank || width > 4 ? 1 : width
  cursor.skipColumns(cursor.blank ? width : blanks)
  return { marker, ordered: digits !== undefined, start, indent: indent + length + blanks }
}
