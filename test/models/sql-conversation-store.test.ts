import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONVERSATION_TABLES, sqlConversationStore, type SqlQuery, type SqlRow } from '../../src/server.ts'
import { conversationStoreCases } from '../../src/testing.ts'

/** What is used of a Postgres in the process. */
interface Database {
  query(text: string, values: readonly unknown[]): Promise<{ readonly rows: readonly SqlRow[] }>
  exec(text: string): Promise<unknown>
  close(): Promise<void>
}

// Its types are there only where the packages of test/models are installed.
const { PGlite } = (await import(/* @vite-ignore */ ['@electric-sql', 'pglite'].join('/'))) as {
  readonly PGlite: new () => Database
}

describe('the conversation store in SQL, on Postgres', () => {
  const database = new PGlite()
  const query: SqlQuery = (text, values) => database.query(text, values)

  beforeAll(async () => {
    await database.exec(CONVERSATION_TABLES)
    // A second start of the app changes nothing.
    await database.exec(CONVERSATION_TABLES)
    // The database compiles its WebAssembly, which takes a busy machine longer than other hooks.
  }, 300_000)
  afterAll(() => database.close())

  it.each(conversationStoreCases(() => sqlConversationStore({ query })))('$name', ({ run }) => run())

  it.each(
    conversationStoreCases(() =>
      sqlConversationStore({ query: async (text, values) => (await database.query(text, values)).rows }),
    ),
  )('with a driver that gives the rows alone: $name', ({ run }) => run())

  it('marks values as the driver wants it, in the order in which it passes them', async () => {
    const asked: [string, readonly unknown[]][] = []
    const store = sqlConversationStore({
      placeholder: () => '?',
      query: async (text, values) => {
        asked.push([text, values])
        return []
      },
    })
    await store.rename({ owner: 'ann', id: 'c' }, 'Bends')
    expect(asked).toEqual([
      ['UPDATE capstan_conversations SET title = ? WHERE owner = ? AND id = ?', ['Bends', 'ann', 'c']],
    ])
  })
})
