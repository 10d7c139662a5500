import type { ViewHint } from '../../seam/agent-event.ts'
import { cellText } from '../json-view/json-text.ts'

/** Data in a shape that can be shown. `columns` has something only in a table; in pairs a row is a key and its value. */
export interface DataView {
  readonly type: 'table' | 'list' | 'pairs' | 'json'
  readonly rows: readonly unknown[]
  readonly columns?: readonly Column[]
}

export interface Column {
  readonly name: string
  /** Whether the column has at least one value and all its values are numbers. */
  readonly numeric: boolean
}

/** Data with more columns is not shown as a table. */
const MOST_COLUMNS = 100

/** Reads data as the agent asked for it; what does not fit the hint is JSON. */
export function viewOf(data: unknown, hint: ViewHint): DataView {
  if (hint === 'TABLE') {
    const { columns: names = namesOf(data), rows = data } = isRecord(data) ? data : {}
    if (Array.isArray(names) && Array.isArray(rows) && names.length > 0 && names.length <= MOST_COLUMNS) {
      return { type: 'table', rows, columns: names.map((name, index) => columnOf(cellText(name), index, rows)) }
    }
  }
  if (hint === 'LIST' && Array.isArray(data)) return { type: 'list', rows: data }
  if (hint === 'KEY_VALUE' && isRecord(data)) return { type: 'pairs', rows: Object.entries(data) }
  return { type: 'json', rows: [] }
}

/** What a row has in a column: by place in a list, by name in an object; anything else is in the first column. */
export function cellOf(row: unknown, name: string, index: number): unknown {
  if (Array.isArray(row)) return row[index]
  if (isRecord(row)) return Object.hasOwn(row, name) ? row[name] : undefined
  return index === 0 ? row : undefined
}

function columnOf(name: string, index: number, rows: readonly unknown[]): Column {
  const cells = rows.map((row) => cellOf(row, name, index) ?? undefined)
  return {
    name,
    numeric: cells.some((cell) => cell !== undefined) && cells.every((cell) => typeof (cell ?? 0) === 'number'),
  }
}

function namesOf(data: unknown): readonly string[] {
  return Array.isArray(data) ? [...new Set(data.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))] : []
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
