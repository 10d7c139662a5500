import type { SqliteDatabase, SqliteValue } from '../event-log/sqlite/sqlite-database.ts'
import type { DurableObjectContext } from './durable-object.ts'

/** The SQLite of a Durable Object, as the event log takes a database. */
export function durableDatabase(storage: DurableObjectContext['storage']): SqliteDatabase {
  const exec = (query: string, values: readonly SqliteValue[] = []): Record<string, unknown>[] =>
    storage.sql.exec(query, ...values.map(toBinding)).toArray()
  return {
    exec,
    prepare: (query) => ({
      run: (...values) => exec(query, values),
      all: (...values) => exec(query, values).map(toRow),
    }),
    transactionSync: (work) => storage.transactionSync(work),
  }
}

function toBinding(value: SqliteValue): string | number | ArrayBuffer {
  return value instanceof Uint8Array ? value.slice().buffer : value
}

/** A BLOB comes as an ArrayBuffer. */
function toRow(row: Record<string, unknown>): Record<string, unknown> {
  const columns: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row))
    columns[name] = value instanceof ArrayBuffer ? new Uint8Array(value) : value
  return columns
}
