// Writes runs and turns to a database until it is killed, and says what was acknowledged: `program DRIVER DATABASE NAME`.
import { writeSync } from 'node:fs'
import {
  CONVERSATION_TABLES,
  sqlConversationStore,
} from '../../../../src/server/conversation/sql-conversation-store.ts'
import { sqliteEventLog } from '../../../../src/server/event-log/sqlite/sqlite-event-log.ts'
import { openBetterSqlite, openNodeSqlite } from './open-sqlite.ts'

const [driver, file = '', name = ''] = process.argv.slice(2)
const open = driver === 'better-sqlite3' ? openBetterSqlite : openNodeSqlite
if (open === undefined) throw new Error(`There is no ${driver}.`)
const database = open(file)
const log = sqliteEventLog(database)
database.exec(CONVERSATION_TABLES)
const conversations = sqlConversationStore({
  placeholder: () => '?',
  query: async (text, values) => {
    const statement = database.prepare(text)
    // The store gives no null, and rows come back by their names.
    const own = values as readonly (string | number)[]
    if (!text.startsWith('SELECT')) return (statement.run(...own), [])
    return statement.all(...own) as Record<string, unknown>[]
  },
})
const key = { owner: 'ann', id: 'c' }
const say = (...words: readonly (string | number)[]): void => void writeSync(1, `${words.join(' ')}\n`)

for (let at = 0; ; at++) {
  const run = `${name}.${at}`
  await conversations.begin(key, { id: run, replaces: [], text: run, at }, run)
  say('asked', run)
  const begun = await log.begin(run)
  if (begun.state !== 'created') throw new Error(`The run is ${begun.state}.`)
  say('begun', run)
  for (let entry = 1; entry <= 10; entry++) {
    await begun.writer.append({ kind: 'frame', text: `${run} ${entry}` })
    say('entry', run, entry)
  }
  await begun.writer.close()
  say('closed', run)
  await conversations.finish(key, run, { parts: [], status: 'complete', at })
  say('answered', run)
}
