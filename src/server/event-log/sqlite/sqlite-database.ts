import type { AgentErrorInit } from '../../../base/agent-error.ts'
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
  /** Runs several statements as one, where a database has no `BEGIN`, as that of a Durable Object. Absent: it has. */
  transactionSync?<Value>(work: () => Value): Value
}

/**
 * Runs several statements as one: all of them, or none.
 *
 * @throws AgentError when the database refuses them: FATAL `storage_corrupt`, else TRANSIENT
 */
export function inTransaction<Value>(database: SqliteDatabase, work: () => Value): Value {
  if (database.transactionSync !== undefined) {
    try {
      return database.transactionSync(work)
    } catch (cause) {
      throw cause instanceof AgentError ? cause : databaseFailed(cause)
    }
  }
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

/** Reads rows. @throws AgentError when the database cannot be read: FATAL `storage_corrupt`, else TRANSIENT */
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
    // A driver can be configured to return integers as bigint.
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

/** What SQLite reports, by its primary result code: https://sqlite.org/rescode.html. */
const FAILURES: readonly {
  readonly resultCodes: readonly number[]
  /** Names of those codes, and the text that SQLite has for them: not every driver passes the number on. */
  readonly pattern: RegExp
  readonly init: Pick<AgentErrorInit, 'code' | 'severity' | 'message'>
}[] = [
  {
    resultCodes: [13],
    pattern: /SQLITE_FULL|database or disk is full/i,
    init: {
      code: 'storage_full',
      severity: 'TRANSIENT',
      message:
        "The disk of the event log's SQLite database is full. Free space on it, or set `maxBytes` and a shorter `ttlMs`.",
    },
  },
  {
    resultCodes: [11, 26],
    // A table can be missing only where the file was emptied or replaced under the process.
    pattern: /SQLITE_(?:CORRUPT|NOTADB)|malformed|not a database|no such (?:table|column)/i,
    init: {
      code: 'storage_corrupt',
      severity: 'FATAL',
      message:
        "The file of the event log's SQLite database is damaged. Restore it from a backup, or start with a new file.",
    },
  },
  {
    resultCodes: [3, 8, 10, 14, 23],
    pattern: /SQLITE_(?:PERM|READONLY|IOERR|CANTOPEN|AUTH)|readonly database|disk I\/O error|unable to open database/i,
    init: {
      code: 'storage_unavailable',
      severity: 'TRANSIENT',
      message:
        'The event log cannot write to its SQLite database. Check its disk, and that the process may write to the file and to its folder.',
    },
  },
]

const REFUSED: Pick<AgentErrorInit, 'code' | 'severity' | 'message'> = {
  code: 'busy',
  severity: 'TRANSIENT',
  message: 'The SQLite database of the event log has refused a statement. See the cause.',
}

function databaseFailed(cause: unknown): AgentError {
  const { message, code, errcode } = errorFields(cause)
  const known = FAILURES.find(
    ({ resultCodes, pattern }) =>
      // The low byte of an extended result code is the primary one.
      (errcode !== undefined && resultCodes.includes(errcode & 255)) || pattern.test(`${code} ${message}`),
  )
  return new AgentError({ kind: 'runtime', ...(known?.init ?? REFUSED), cause })
}

/** What the drivers set: `errcode` of `node:sqlite`, `code` of `better-sqlite3`. */
function errorFields(cause: unknown): { message: string; code: string; errcode: number | undefined } {
  const message = cause instanceof Error ? cause.message : ''
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined
  const errcode: unknown = cause instanceof Error ? Reflect.get(cause, 'errcode') : undefined
  return {
    message,
    code: typeof code === 'string' ? code : '',
    errcode: typeof errcode === 'number' ? errcode : undefined,
  }
}
