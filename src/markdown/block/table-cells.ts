import type { Table } from '../tree/tree.ts'
import { trimBlanks } from './trim-blanks.ts'

const DELIMITERS = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/

/** How the columns below are aligned, when `line` is the row below a table's head. */
export function delimiterRow(line: string): Table['align'] | undefined {
  // One column needs no pipe, but then a colon: `---` alone makes a heading.
  if (!/[|:]/.test(line) || !DELIMITERS.test(line)) return undefined
  return tableCells(line, Number.POSITIVE_INFINITY).map((cell) => {
    const left = cell.startsWith(':')
    if (cell.endsWith(':')) return left ? 'center' : 'right'
    return left ? 'left' : undefined
  })
}

/** The texts of the first `most` cells of a row. A pipe behind a backslash is text. */
export function tableCells(line: string, most: number): string[] {
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
