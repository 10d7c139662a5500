/** Rows and named columns, as text can show them. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads `{columns, rows}` or a list of objects as a table; undefined when it is neither. */
export function tableOf(data: unknown): Table | undefined {
  if (isRecord(data) && Array.isArray(data['columns']) && Array.isArray(data['rows'])) {
    const columns = data['columns'].map(String)
    const rows = data['rows'].map((row: unknown) => cellsOf(row, columns))
    return { columns, rows }
  }
  if (!Array.isArray(data) || data.length === 0 || !data.every(isRecord)) return undefined
  const columns = [...new Set(data.flatMap((row) => Object.keys(row)))]
  return { columns, rows: data.map((row) => cellsOf(row, columns)) }
}

function cellsOf(row: unknown, columns: readonly string[]): readonly unknown[] {
  if (Array.isArray(row)) return columns.map((_, index): unknown => row[index])
  return isRecord(row) ? columns.map((column) => row[column]) : [row]
}

/** One value as one line. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
