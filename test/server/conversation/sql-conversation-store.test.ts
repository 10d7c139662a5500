import { describe, expect, it, onTestFinished } from 'vitest'
import {
  CONVERSATION_TABLES,
  sqlConversationStore,
  type SqlQuery,
  type SqlRow,
} from '../../../src/server/conversation/sql-conversation-store.ts'
import type {
  ConversationAnswer,
  ConversationKey,
  ConversationStore,
} from '../../../src/server/conversation/conversation-store.ts'
import { conversationStoreCases } from '../../../src/testing/conversation-store-cases.ts'
import { openWasm } from '../event-log/sqlite/open-sqlite.ts'

/** Runs statements on SQLite, which every Node has as WebAssembly. */
function openQuery(): SqlQuery {
  const database = openWasm(':memory:')
  onTestFinished(() => void database.close())
  database.exec(CONVERSATION_TABLES)
  return async (text, values) =>
    // Rows are objects by the names of their columns; the driver reads null as every other value.
    database.prepare(text).all(...(values as readonly (string | number)[])) as SqlRow[]
}

const storeOf = (query: SqlQuery): ConversationStore => sqlConversationStore({ query, placeholder: () => '?' })

const ANSWER: ConversationAnswer = { parts: [{ type: 'text', id: 'p', text: 'Yes.' }], status: 'complete', at: 9 }

type Action = (store: ConversationStore, key: ConversationKey) => Promise<void>

const beginTurn =
  (id: string, at: number): Action =>
  (store, key) =>
    store.begin(key, { id, replaces: [], text: `Question ${id}`, at }, `Title ${id}`)

const ACTIONS: Readonly<Record<string, Action>> = {
  begin: beginTurn('a', 3),
  'begin another': beginTurn('b', 4),
  'begin again': beginTurn('old', 5),
  finish: (store, key) => store.finish(key, 'old', ANSWER),
  rename: (store, key) => store.rename(key, 'Renamed'),
  remove: (store, key) => store.remove(key),
}
const NAMES = Object.keys(ACTIONS)
const MOST_STATEMENTS = 3

/** What everybody sees of a conversation. */
interface Shown {
  readonly turns: readonly (readonly [string, string | undefined])[]
  readonly titles: readonly string[]
}

async function shownOf(store: ConversationStore, key: ConversationKey): Promise<Shown> {
  return {
    turns: (await store.turns(key)).map(({ id, answer }) => [id, answer?.status] as const),
    titles: (await store.list(key.owner, 10)).map(({ title }) => title),
  }
}

let owners = 0

/** A conversation of one turn, of an owner whom no other has. */
async function prepare(store: ConversationStore): Promise<ConversationKey> {
  const key = { owner: `owner ${(owners += 1)}`, id: 'c' }
  await beginTurn('old', 1)(store, key)
  return key
}

/** The two actions with their statements in this order: `false` is one of the first. */
async function interleave(
  query: SqlQuery,
  key: ConversationKey,
  actions: readonly [Action, Action],
  order: readonly boolean[],
): Promise<void> {
  const waiting: ((() => void) | undefined)[] = [undefined, undefined]
  const ended = [false, false]
  const gated = (which: 0 | 1): ConversationStore =>
    storeOf(async (text, values) => {
      await new Promise<void>((resolve) => {
        waiting[which] = resolve
      })
      return query(text, values)
    })
  const running = actions.map(async (action, which) => {
    await action(gated(which === 0 ? 0 : 1), key)
    ended[which] = true
  })
  const step = async (which: number): Promise<void> => {
    for (let ticks = 0; waiting[which] === undefined && ended[which] !== true && ticks < 50; ticks++)
      await Promise.resolve()
    const go = waiting[which]
    waiting[which] = undefined
    go?.()
    for (let ticks = 0; ticks < 20; ticks++) await Promise.resolve()
  }
  for (const isSecond of order) await step(isSecond ? 1 : 0)
  for (let rest = 0; rest < MOST_STATEMENTS; rest++) for (const which of [0, 1]) await step(which)
  await Promise.all(running)
}

/** Every order of so many statements of each action. */
function orders(first: number, second: number): readonly (readonly boolean[])[] {
  if (first === 0 && second === 0) return [[]]
  return [
    ...(first > 0 ? orders(first - 1, second).map((rest) => [false, ...rest]) : []),
    ...(second > 0 ? orders(first, second - 1).map((rest) => [true, ...rest]) : []),
  ]
}

describe('the conversation store in SQL, on SQLite', () => {
  it.each(conversationStoreCases(() => storeOf(openQuery())))('$name', ({ run }) => run())

  it('lists every conversation that has turns, in whichever order the statements of two calls arrive', async () => {
    const query = openQuery()
    const store = storeOf(query)
    let played = 0
    for (const [at, one] of NAMES.entries()) {
      for (const other of NAMES.slice(at)) {
        const [first, second] = [ACTIONS[one], ACTIONS[other]]
        if (first === undefined || second === undefined) continue
        for (const order of orders(MOST_STATEMENTS, MOST_STATEMENTS)) {
          const key = await prepare(store)
          await interleave(query, key, [first, second], order)
          const { turns, titles } = await shownOf(store, key)
          const what = `${one} with ${other}, as ${order.map(Number).join('')}`
          if (turns.length > 0) expect(titles, what).toHaveLength(1)
          if (one !== 'remove' && other !== 'remove')
            expect(
              turns.map(([id]) => id),
              what,
            ).toContain('old')
          if ([one, other].includes('remove') && !`${one} ${other}`.includes('begin'))
            expect({ turns, titles }, what).toEqual({ turns: [], titles: [] })
          played += 1
        }
      }
    }
    expect(played).toBe(21 * 20)
  })

  it('is whole after a call whose process died between two statements was repeated, and hides nothing before', async () => {
    const query = openQuery()
    const store = storeOf(query)
    for (const [name, action] of Object.entries(ACTIONS)) {
      const untouched = await prepare(store)
      await action(store, untouched)
      const whole = await shownOf(store, untouched)
      for (let carriedOut = 0; carriedOut <= MOST_STATEMENTS; carriedOut++) {
        const key = await prepare(store)
        let left = carriedOut
        const dying = storeOf(async (text, values) => {
          if (left-- <= 0) throw new Error('The process died.')
          return query(text, values)
        })
        await action(dying, key).catch(() => {})
        const { turns, titles } = await shownOf(store, key)
        if (turns.length > 0) expect(titles, `${name} after ${carriedOut}`).toHaveLength(1)
        await action(store, key)
        expect(await shownOf(store, key), `${name} after ${carriedOut}`).toEqual(whole)
      }
    }
  })
})
