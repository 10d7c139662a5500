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
        run: (...values) => statement.run(values),
        all: (...values) => statement.all(values),
      }
    },
    close: () => database.close(),
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
