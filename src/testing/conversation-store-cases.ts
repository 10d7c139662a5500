import { systemEnvironment } from '../base/ports/environment.ts'
import type {
  ConversationAnswer,
  ConversationKey,
  ConversationStore,
  ConversationTurn,
} from '../server/conversation/conversation-store.ts'

/** One thing that a store of conversations must do. */
export interface ConversationStoreCase {
  /** Says condition and result, for the title of a test. */
  readonly name: string
  /** Rejects with an error that says what the store did instead. */
  run(): Promise<void>
}

/** What a case works with: a store, and an owner whom nobody else has. */
interface Scene {
  readonly store: ConversationStore
  readonly owner: string
  readonly key: ConversationKey
}

/**
 * What every store of conversations must do, as named cases for any test framework. Each case has its own owner, so they
 * may share one database; nothing is removed afterwards.
 *
 * @param open gives the store; called once for each case
 *
 * @example
 * ```ts
 * import { conversationStoreCases } from 'capstan/testing'
 * import type { ConversationStore } from 'capstan/server'
 * import { test } from 'node:test'
 *
 * declare function openStore(): ConversationStore
 * for (const { name, run } of conversationStoreCases(openStore)) test(name, run)
 * ```
 */
export function conversationStoreCases(
  open: () => ConversationStore | Promise<ConversationStore>,
): readonly ConversationStoreCase[] {
  return Object.entries(CASES).map(([name, check]) => ({
    name,
    async run() {
      const owner = `owner ${systemEnvironment.uuid()}`
      await check({ store: await open(), owner, key: { owner, id: systemEnvironment.uuid() } })
    },
  }))
}

const CASES: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async 'a conversation that is unknown has no turns'({ store, key }) {
    expectSame('turns', await store.turns(key), [])
  },
  async 'turns come back whole, in the order in which they were begun'({ store, key }) {
    // The order of neither ids nor times.
    const turns = ['b', 'c', 'a'].map((id, at) => turn(id, { at: 100 - at }))
    for (const each of turns) await store.begin(key, each, 'Rivers')
    expectSame('turns', await store.turns(key), turns)
  },
  async 'an answer belongs to its turn and comes back as it was given'({ store, key }) {
    await store.begin(key, turn('a'), 'Rivers')
    const second = turn('b', { after: 'a', replaces: ['x', 'y'], files: ['f-1'], metadata: { mood: 'calm' } })
    await store.begin(key, second, 'Rivers')
    await store.finish(key, 'a', ANSWER)
    const expected = [{ ...turn('a'), answer: ANSWER }, second]
    expectSame('turns', await store.turns(key), expected)
  },
  async 'a turn that is begun again keeps its place and loses its answer'({ store, key }) {
    await store.begin(key, turn('a'), 'Rivers')
    await store.begin(key, turn('b'), 'Rivers')
    await store.finish(key, 'a', ANSWER)
    await store.begin(key, turn('a', { text: 'Once more' }), 'Rivers')
    expectSame('turns', await store.turns(key), [turn('a', { text: 'Once more' }), turn('b')])
  },
  async 'an answer given twice replaces the first'({ store, key }) {
    await store.begin(key, turn('a'), 'Rivers')
    await store.finish(key, 'a', { ...ANSWER, status: 'failed' })
    await store.finish(key, 'a', ANSWER)
    expectSame('turns', await store.turns(key), [{ ...turn('a'), answer: ANSWER }])
  },
  async 'an answer to a turn that is not there changes nothing'({ store, owner, key }) {
    await store.finish(key, 'a', ANSWER)
    expectSame('turns', await store.turns(key), [])
    expectSame('list', await store.list(owner, 10), [])
  },
  async 'nobody reads, lists, renames or removes the conversation of another owner'({ store, owner, key }) {
    const other = { owner: `${owner} the second`, id: key.id }
    await store.begin(key, turn('a', { at: 5 }), 'Rivers')
    expectSame('turns of another owner', await store.turns(other), [])
    await store.finish(other, 'a', ANSWER)
    await store.rename(other, 'Mine')
    await store.remove(other)
    expectSame('list of another owner', await store.list(other.owner, 10), [])
    expectSame('turns', await store.turns(key), [turn('a', { at: 5 })])
    expectSame('list', await store.list(owner, 10), [{ id: key.id, title: 'Rivers', createdAt: 5, updatedAt: 5 }])
  },
  async 'owners whose names and ids run together the same way are kept apart'({ store, owner }) {
    await store.begin({ owner: `${owner}:a`, id: 'b' }, turn('a'), 'Rivers')
    expectSame('turns', await store.turns({ owner, id: 'a:b' }), [])
    expectSame('turns', await store.turns({ owner: `${owner}:a:b`, id: '' }), [])
  },
  async 'the list has the latest conversation first, and no more than it is asked for'({ store, owner }) {
    for (const [at, id] of ['one', 'two', 'three'].entries())
      await store.begin({ owner, id }, turn('a', { at: 10 + at }), `Title ${id}`)
    await store.finish({ owner, id: 'one' }, 'a', { ...ANSWER, at: 50 })
    const listed = await store.list(owner, 2)
    expectSame('list', listed, [
      { id: 'one', title: 'Title one', createdAt: 10, updatedAt: 50 },
      { id: 'three', title: 'Title three', createdAt: 12, updatedAt: 12 },
    ])
  },
  async 'a conversation keeps its first title and time until it is renamed'({ store, owner, key }) {
    await store.begin(key, turn('a', { at: 1 }), 'First')
    await store.begin(key, turn('b', { at: 2 }), 'Second')
    expectSame('list', await store.list(owner, 10), [{ id: key.id, title: 'First', createdAt: 1, updatedAt: 2 }])
    await store.rename(key, 'Bends')
    await store.begin(key, turn('c', { at: 3 }), 'Third')
    expectSame('list', await store.list(owner, 10), [{ id: key.id, title: 'Bends', createdAt: 1, updatedAt: 3 }])
  },
  async 'renaming what is not there makes nothing'({ store, owner, key }) {
    await store.rename(key, 'Bends')
    expectSame('list', await store.list(owner, 10), [])
  },
  async 'a conversation that was removed is gone, and a late answer does not bring it back'({ store, owner, key }) {
    await store.begin(key, turn('a'), 'Rivers')
    await store.remove(key)
    await store.finish(key, 'a', ANSWER)
    await store.remove(key)
    expectSame('turns', await store.turns(key), [])
    expectSame('list', await store.list(owner, 10), [])
  },
  async 'a turn that is begun after the removal makes the conversation again'({ store, key }) {
    await store.begin(key, turn('a'), 'Rivers')
    await store.finish(key, 'a', ANSWER)
    await store.remove(key)
    await store.begin(key, turn('a'), 'Rivers')
    expectSame('turns', await store.turns(key), [turn('a')])
  },
  async 'text of any script, with quotes, line breaks and NUL-like escapes, comes back as it was'({ store, key }) {
    const text = `'; DROP TABLE "turns"; -- \\u0000 \n\t 🌊 河 ${'x'.repeat(5000)}`
    await store.begin(key, turn('a', { text }), text.slice(0, 40))
    expectSame('turns', await store.turns(key), [turn('a', { text })])
  },
  async 'turns begun at the same time are all there'({ store, key }) {
    const ids = Array.from({ length: 10 }, (_, at) => `t-${at}`)
    await Promise.all(ids.map((id) => store.begin(key, turn(id), 'Rivers')))
    expectSame('turns', (await store.turns(key)).map(({ id }) => id).toSorted(), ids)
  },
  async 'what is read is a copy: changing it changes nothing that is stored'({ store, key }) {
    const given = { ...turn('a'), replaces: ['x'] }
    await store.begin(key, given, 'Rivers')
    given.replaces.push('y')
    const [read] = await store.turns(key)
    // The type forbids it, and JavaScript does not.
    if (read !== undefined) (read as { text: string }).text = 'Changed'
    expectSame('turns', await store.turns(key), [{ ...turn('a'), replaces: ['x'] }])
  },
}

const ANSWER: ConversationAnswer = {
  parts: [
    { type: 'text', id: 'text-0', text: 'They meander.' },
    { type: 'tool-call', id: 't', name: 'search', input: { q: 'bends' }, output: [1, null], status: 'complete' },
  ],
  status: 'complete',
  at: 20,
  model: { vendor: 'a vendor', items: [{ type: 'reasoning', sealed: 'x', nothing: null }] },
}

function turn(id: string, rest: Partial<Omit<ConversationTurn, 'answer'>> = {}): Omit<ConversationTurn, 'answer'> {
  return { id, replaces: [], text: `Question ${id}`, at: 10, ...rest }
}

/** Compares as JSON, with the keys in one order. */
function expectSame(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [sorted(found), sorted(expected)]
  if (one !== other)
    throw new Error(`The store gave other ${what} than expected.\nExpected: ${other}\nFound:    ${one}`)
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  )
}
