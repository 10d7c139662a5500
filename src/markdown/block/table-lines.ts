import type { BlockStack } from './block-stack.ts'
import { withItem, addPiece, wholeText } from './leaves.ts'
import type { ParagraphFrame, TableFrame } from './frame.ts'
import { type Line, type LineCursor, trimBlankEnd, trimBlanks } from './line-cursor.ts'
import type { Table } from '../inline/tree.ts'

const DELIMITERS = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/

/** How the columns below are aligned, when `line` is the row below a table's head. */
function delimiterRow(line: string): Table['align'] | undefined {
  // One column needs no pipe, but then a colon: `---` alone makes a heading.
  if (!/[|:]/.test(line) || !DELIMITERS.test(line)) return undefined
  return tableCells(line, Number.POSITIVE_INFINITY).map((cell) => {
    const left = cell.startsWith(':')
    if (cell.endsWith(':')) return left ? 'center' : 'right'
    return left ? 'left' : undefined
  })
}

/** The texts of the first `most` cells of a row. A pipe behind a backslash is text. */
function tableCells(line: string, most: number): string[] {
  const cells: string[] = []
  let from = line.startsWith('|') ? 1 : 0
  let escaped = false
  for (let at = from; at <= line.length && cells.length < most; at++) {
    const code = line.charCodeAt(at)
    if (code === 124 || at === line.length) {
      const cell = trimBlanks(line.slice(from, at))
      if (code === 124 || cell !== '') cells.push(escaped ? cell.replaceAll(String.raw`\|`, '|') : cell)
      from = at + 1
      escaped = false
    } else if (code === 92) {
      const next = line.charCodeAt(at + 1)
      escaped ||= next === 124
      if (next === 124 || next === 92) at++
    }
  }
  return cells
}

/** Most missing cells that a table fills in. The limit stops an attack with 500 columns and rows of one cell. */
const MOST_FILLED = 65_536

/** Makes a table of the last line of the paragraph, if `text` is the row that belongs below its head. */
export function openTable(stack: BlockStack, frame: ParagraphFrame, text: string): boolean {
  const align = delimiterRow(text)
  if (align === undefined) return false
  const cells = tableCells(wholeText(frame.text, frame.above).replace(/^[ \t]*\n/, ''), align.length + 1)
  if (cells.length !== align.length) return false

  stack.frames.pop()
  if (frame.above !== undefined) {
    stack.frames.push({ ...frame, text: frame.above })
    stack.close()
  }
  const head = stack.closeRow(
    cells.map((cell) => addPiece(undefined, cell)),
    frame.lastKey,
    align.length,
  )
  stack.open({ type: 'table', key: frame.lastKey, align, head, rows: [], filled: 0, open: undefined })
  return true
}

/** One more row of the innermost block. */
export function addTableRow(stack: BlockStack, frame: TableFrame, cursor: LineCursor, line: Line): void {
  const columns = frame.align.length
  const key = line.at + cursor.next
  const text = trimBlankEnd(line.text.slice(cursor.next))
  const cells = tableCells(text, columns).map((cell) => addPiece(undefined, cell))
  if (!line.complete) {
    const closed = /(?:^|[^\\])\|$/.test(text) || tableCells(text, columns + 1).length > columns
    return stack.replaceTop({ ...frame, open: { key, cells, gap: line.text.slice(cursor.next + text.length), closed } })
  }
  const filled = frame.filled + columns - cells.length
  const row = stack.closeRow(cells, key, filled > MOST_FILLED ? 0 : columns)
  return stack.replaceTop({ ...frame, rows: withItem(frame.rows, row), filled: Math.min(filled, MOST_FILLED) })
}
