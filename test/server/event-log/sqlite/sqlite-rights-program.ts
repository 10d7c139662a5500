// Lets SQLite lose its rights in the middle of an answer, and prints what everybody sees: `RIGHTS DRIVER FOLDER`. For a user who is
// bound by rights, which root is not. `create` and `open` make and open a log on a file system that is read-only in between.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { isAgentError } from '../../../../src/base/agent-error.ts'
import { sqliteEventLog } from '../../../../src/server/event-log/sqlite/sqlite-event-log.ts'
import { meetStoreFailure, type Seen } from '../../outages/meet-store-failure.ts'
import { DRIVERS, type OpenDatabase } from './open-sqlite.ts'

const { RIGHTS = '', DRIVER = '', FOLDER = '' } = process.env
const found = DRIVERS.find(({ name }) => name === DRIVER)
if (found === undefined) throw new Error(`There is no ${DRIVER}.`)
const openFile = found.open
const file = join(FOLDER, 'runs.db')

/** What an attempt to open the log gives. */
function openedLog(): string {
  let database: OpenDatabase
  try {
    database = openFile(file)
  } catch {
    return 'refused by the driver'
  }
  try {
    sqliteEventLog(database)
    return 'opened'
  } catch (error) {
    return isAgentError(error) ? error.code : String(error)
  } finally {
    database.close()
  }
}

function seenAnswer(): Promise<Seen> {
  const database = openFile(file)
  return meetStoreFailure({
    open: (clock) => sqliteEventLog(database, { clock }),
    fail: () => setRights(0o444, 0o555),
    repair: () => setRights(0o644, 0o755),
  })
}

const setRights = (fileMode: number, folderMode: number): void => {
  if (RIGHTS !== 'folder') chmodSync(file, fileMode)
  if (RIGHTS !== 'file') chmodSync(FOLDER, folderMode)
}
console.log(JSON.stringify(RIGHTS === 'create' || RIGHTS === 'open' ? openedLog() : await seenAnswer()))
process.exit()
