import { AgentError } from '../../../base/agent-error.ts'
import { isJsonObject } from '../../../base/json-object.ts'

/** A value that a statement is given. */
export type SqliteValue = string | number | Uint8Array

/** A prepared statement of a synchronous driver. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown
  /** Rows as objects by the names of their columns. */
  all(...values: SqliteValue[]): unknown[]
}

/** A database of `node:sqlite` (`DatabaseSync`) or of `better-sqlite3`: what this package calls of it. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
}

/** Does several statements as one: all of them, or none. @throws AgentError TRANSIENT when the database does not take them */
export function inTransaction<Value>(database: SqliteDatabase, work: () => Value): Value {
  try {
    database.exec('BEGIN IMMEDIATE')
  } catch (cause) {
    throw databaseFailed(cause)
  }
  try {
    const value = work()
    database.exec('COMMIT')
    return value
  } catch (cause) {
    rollBack(database)
    throw cause instanceof AgentError ? cause : databaseFailed(cause)
  }
}

function rollBack(database: SqliteDatabase): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite has done it already: the error that led here says why.
  }
}

/** Reads rows. @throws AgentError TRANSIENT when the database cannot be read */
export function readRows(statement: SqliteStatement, ...values: SqliteValue[]): readonly SqliteRow[] {
  try {
    return statement.all(...values).map(rowOf)
  } catch (cause) {
    throw databaseFailed(cause)
  }
}

/** One row, read by the names of its columns. */
export interface SqliteRow {
  number(name: string): number
  text(name: string): string
  bytes(name: string): Uint8Array
}

function rowOf(row: unknown): SqliteRow {
  const columns = isJsonObject(row) ? row : {}
  return {
    // A driver that is told to gives integers as bigint.
    number: (name) => Number(columns[name] ?? 0),
    text(name) {
      const value = columns[name]
      return typeof value === 'string' ? value : ''
    },
    bytes(name) {
      const value = columns[name]
      return value instanceof Uint8Array ? value : new Uint8Array()
    },
  }
}

function databaseFailed(cause: unknown): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'busy',
    severity: 'TRANSIENT',
    message: 'The SQLite database of the event log has refused a statement. See the cause.',
    cause,
  })
}
