import type { FenceFrame, Frame } from './frame.ts'
import type { LineCursor } from './line-cursor.ts'
import { trimBlankEnd } from './trim-blanks.ts'

/** Whether a line belongs to an open block; moves over what says so. `ends`: it does and is its last. */
export function continueFrame(frame: Frame, cursor: LineCursor): boolean {
  switch (frame.type) {
    case 'document':
    case 'list':
      return true
    case 'quote':
      if (cursor.indent >= 4 || cursor.line.charAt(cursor.next) !== '>') return false
      takeQuoteMarker(cursor)
      return true
    case 'item':
      return (!cursor.blank || !frame.empty) && takeColumns(cursor, frame.indent)
    case 'footnote':
      return takeColumns(cursor, 4)
    case 'paragraph':
    case 'table':
      return !cursor.blank
    case 'html':
      return frame.end !== undefined || !cursor.blank
    case 'indented':
      return takeColumns(cursor, 4)
    case 'fence':
      if (isFenceEnd(frame, cursor)) return false
      cursor.skipColumns(Math.min(frame.indent, cursor.indent))
      return true
    case 'heading':
      return false
  }
}

export function takeQuoteMarker(cursor: LineCursor): void {
  cursor.skipBlanks()
  cursor.skip(1)
  if (cursor.atBlank) cursor.skipColumns(1)
}

/** Moves over the indentation, or over what there is of it on a blank line. */
function takeColumns(cursor: LineCursor, columns: number): boolean {
  if (cursor.indent < columns && !cursor.blank) return false
  cursor.skipColumns(Math.min(columns, cursor.indent))
  return true
}

/** Whether the line closes fenced code. */
export function isFenceEnd({ fence }: FenceFrame, { line, next, indent }: LineCursor): boolean {
  if (indent >= 4 || !line.startsWith(fence, next)) return false
  let end = next + fence.length
  while (line.charAt(end) === fence.charAt(0)) end++
  return trimBlankEnd(line.slice(end)) === ''
}
