import { createRequire } from 'node:module'
import sqlite from 'node-sqlite3-wasm'
import type { SqliteDatabase } from '../../../../src/server/event-log/sqlite/sqlite-database.ts'

/** A database that can be closed. */
export interface OpenDatabase extends SqliteDatabase {
  close(): unknown
}

/** SQLite as WebAssembly, which every Node runs. Its statements take a list of values; those of the drivers take the values. */
export function openWasm(file: string): OpenDatabase {
  const database = new sqlite.Database(file)
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        run: (...values) => unlessReset(() => statement.run(values)),
        all: (...values) => unlessReset(() => statement.all(values)),
      }
    },
    close: () => database.close(),
  }
}

/** After a failure this driver reports it once more when the statement is used again, and has reset the statement by then. */
function unlessReset<Value>(use: () => Value): Value {
  try {
    return use()
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Could not reset statement')) return use()
    throw error
  }
}

/** `node:sqlite`, which this package names as a database; undefined where the running Node has none. */
export const openNodeSqlite: ((file: string) => OpenDatabase) | undefined = (() => {
  try {
    // Not imported: the Node that runs the tests may be older than the module.
    const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as {
      readonly DatabaseSync: new (file: string) => OpenDatabase
    }
    return (file: string) => new DatabaseSync(file)
  } catch {
    return undefined
  }
})()

/** `better-sqlite3`, which this package names as well; undefined where it is not installed. */
export const openBetterSqlite: ((file: string) => OpenDatabase) | undefined = (() => {
  try {
    const Database = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => OpenDatabase
    return (file: string) => new Database(file)
  } catch {
    return undefined
  }
})()

/** The drivers that are there, by their names. */
export const DRIVERS: readonly { readonly name: string; readonly open: (file: string) => OpenDatabase }[] =
  Object.entries({
    'node-sqlite3-wasm': openWasm,
    'node:sqlite': openNodeSqlite,
    'better-sqlite3': openBetterSqlite,
  }).flatMap(([name, open]) => (open === undefined ? [] : [{ name, open }]))
