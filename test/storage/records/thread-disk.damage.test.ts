import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openIndexedDbDisk } from '../../../src/storage/disk/indexed-db-disk.ts'
import type { DamagedRecord } from '../../../src/storage/records/thread-disk.ts'
import { settle } from '../../support/manual-clock.ts'
import type { FakeBrowser, FakeTab } from '../fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, rest } from '../fake-tabs.ts'

type Store = 'threads' | 'states' | 'messages' | 'drafts'

/** The database as a damaged device has it: any value under any key. */
interface RawDatabase {
  get(store: Store, key: IDBValidKey): Promise<unknown>
  getAllKeys(store: Store): Promise<IDBValidKey[]>
  getAll(store: Store): Promise<unknown[]>
  put(store: Store, value: unknown, key: IDBValidKey): Promise<unknown>
  delete(store: Store, key: IDBValidKey): Promise<void>
  clear(store: Store): Promise<void>
}

let names = 0

interface Device {
  readonly browser: FakeBrowser
  readonly damaged: DamagedRecord[]
  openTab(options?: Parameters<FakeBrowser['openTab']>[0]): Promise<FakeTab>
  ask(tab: FakeTab, question: string): Promise<void>
  edit<Result>(change: (database: RawDatabase) => Promise<Result>): Promise<Result>
}

function createDevice(): Device {
  const browser = createFakeBrowser()
  const name = `damaged ${(names += 1)}`
  const damaged: DamagedRecord[] = []
  onTestFinished(() => void deleteDB(name))
  const quiet = async (): Promise<void> => {
    // IndexedDB answers in its own tasks.
    for (let turn = 0; turn < 12; turn += 1) await settle()
    await rest()
  }
  return {
    browser,
    damaged,
    async openTab(options) {
      const tab = browser.openTab({
        onDamaged: (found) => damaged.push(found),
        ...options,
        ports: {
          openDisk: (_name, events) => openIndexedDbDisk(name, events, () => 'generation 1'),
          ...options?.ports,
        },
      })
      tab.store.subscribe(() => {})
      void tab.chat.resume()
      await quiet()
      return tab
    },
    async ask(tab, question) {
      void tab.chat.sendMessage(question)
      await quiet()
      browser.peer.connection.say(1, `${question} Because.`)
      browser.peer.connection.close(2)
      await quiet()
    },
    async edit(change) {
      const database = await openDB(name)
      const result = await change(database)
      database.close()
      return result
    },
  }
}

/** Asks, closes the page, damages what was kept, and opens the page again. */
async function reopenDamaged(
  damage: (database: RawDatabase) => Promise<unknown>,
): Promise<{ device: Device; tab: FakeTab }> {
  const device = createDevice()
  const first = await device.openTab()
  await device.ask(first, 'Why?')
  await first.close()
  first.store.close()
  await device.edit(damage)
  const tab = await device.openTab()
  return { device, tab }
}

const first = async (database: RawDatabase, store: Store): Promise<IDBValidKey> =>
  (await database.getAllKeys(store))[0] ?? ''
const withFields = async (database: RawDatabase, store: Store, fields: object): Promise<void> => {
  const key = await first(database, store)
  await database.put(store, { ...((await database.get(store, key)) as object), ...fields }, key)
}
const without = async (database: RawDatabase, store: Store, field: string): Promise<void> => {
  const key = await first(database, store)
  const record = { ...((await database.get(store, key)) as Record<string, unknown>) }
  delete record[field]
  await database.put(store, record, key)
}

const QUESTION = 'user sent: Why?'
const ANSWER = 'assistant complete: Why? Because.'
const BOTH = [QUESTION, ANSWER]

// The answer's message is the first by its key.
const DAMAGES: readonly [
  name: string,
  damage: (database: RawDatabase) => Promise<unknown>,
  shown: readonly string[],
  kinds: readonly string[],
][] = [
  ['the state is null', (database) => database.put('states', null, CONVERSATION), BOTH, ['state']],
  ['the state is empty', (database) => database.put('states', {}, CONVERSATION), BOTH, ['state']],
  ['the state is gone', (database) => database.clear('states'), BOTH, ['state']],
  [
    'the revision is absurd and the order empty',
    (database) => database.put('states', { revision: 9e15, order: [], queued: [] }, CONVERSATION),
    BOTH,
    ['state'],
  ],
  [
    'the revision is not a number',
    (database) => withFields(database, 'states', { revision: Number.NaN }),
    BOTH,
    ['state'],
  ],
  ['the revision is negative', (database) => withFields(database, 'states', { revision: -1 }), BOTH, ['state']],
  ['the revision is a fraction', (database) => withFields(database, 'states', { revision: 1.5 }), BOTH, ['state']],
  ['the order is a text', (database) => withFields(database, 'states', { order: 'abc' }), BOTH, ['state']],
  [
    'the order names a message twice',
    async (database) =>
      withFields(database, 'states', { order: [...(await orderOf(database)), ...(await orderOf(database))] }),
    BOTH,
    ['state'],
  ],
  ['the run is empty', (database) => withFields(database, 'states', { run: {} }), BOTH, ['state']],
  ['the queue is missing', (database) => without(database, 'states', 'queued'), BOTH, ['state']],
  [
    'a message is a text',
    async (database) => database.put('messages', 'x', await first(database, 'messages')),
    [QUESTION],
    ['message', 'state'],
  ],
  ['a message has no parts', (database) => without(database, 'messages', 'parts'), [QUESTION], ['message', 'state']],
  [
    'parts of a message are no parts',
    (database) =>
      withFields(database, 'messages', {
        parts: [{ type: 'text', id: 't', text: 7 }, null, { type: 'warning', id: 'w' }],
      }),
    [QUESTION],
    ['message', 'state'],
  ],
  [
    'a message holds a time no date can say',
    (database) => withFields(database, 'messages', { createdAt: 9e15 }),
    [QUESTION],
    ['message', 'state'],
  ],
  [
    'a message holds what JSON cannot say',
    (database) => withFields(database, 'messages', { metadata: { big: 1n } }),
    [QUESTION],
    ['message', 'state'],
  ],
  [
    'an error has a code without words',
    (database) =>
      withFields(database, 'messages', {
        error: { kind: 'runtime', code: 'toString', severity: 'FATAL', message: '' },
      }),
    [QUESTION],
    ['message', 'state'],
  ],
  ['the messages are gone', (database) => database.clear('messages'), [], ['state']],
  [
    'a message still streams though no run is kept',
    (database) => withFields(database, 'messages', { status: 'streaming' }),
    [QUESTION, 'assistant incomplete: Why? Because.'],
    [],
  ],
  ['the thread is null', (database) => database.put('threads', null, CONVERSATION), BOTH, ['thread']],
  ['the thread is empty', (database) => database.put('threads', {}, CONVERSATION), BOTH, ['thread']],
  ['another thread is null', (database) => database.put('threads', null, 'zzz'), BOTH, ['thread']],
  ['the draft is an object', (database) => database.put('drafts', { a: 1 }, CONVERSATION), BOTH, ['draft']],
]

async function orderOf(database: RawDatabase): Promise<readonly string[]> {
  return Reflect.get((await database.get('states', CONVERSATION)) as object, 'order') as readonly string[]
}

describe.each(DAMAGES)('a device where %s', (_, damage, shown, kinds) => {
  it('shows what is left, reports the damage, and keeps what is asked next', async () => {
    const { device, tab } = await reopenDamaged(damage)
    expect(tab.shown()).toEqual(shown)
    await tab.store.readDraft(CONVERSATION)
    await device.browser.environment.clock.advance(1000)
    expect(new Set(device.damaged.map(({ kind }) => kind))).toEqual(new Set(kinds))
    expect(tab.store.getSnapshot().persistence).toEqual({ where: 'disk' })
    await device.ask(tab, 'How?')
    const both = [...shown, 'user sent: How?', 'assistant complete: How? Because.']
    expect(tab.shown()).toEqual(both)
    await tab.close()
    tab.store.close()
    device.damaged.length = 0
    const again = await device.openTab()
    expect(again.shown()).toEqual(both)
    expect(again.store.getSnapshot().threads.map(({ id }) => id)).toEqual([CONVERSATION])
    // Healed by what was written since; records that nothing names any more say nothing.
    expect(device.damaged.filter(({ threadId, kind }) => threadId === CONVERSATION && kind === 'state')).toEqual([])
  })
})

describe('a damaged record', () => {
  it('is handed to the app as it was, once, and a copy stays until its thread is deleted', async () => {
    const { device, tab } = await reopenDamaged((database) => withFields(database, 'states', { order: 'abc' }))
    expect(device.damaged).toMatchObject([
      { kind: 'state', threadId: CONVERSATION, problem: 'order', record: { order: 'abc' } },
    ])
    await device.ask(tab, 'How?')
    expect(device.damaged).toHaveLength(1)
    const copies = (database: RawDatabase): Promise<unknown> =>
      database.get('states', ['damaged', CONVERSATION, 'state', ''])
    expect(await device.edit(copies)).toMatchObject({ problem: 'order', record: { order: 'abc' } })
    await tab.store.remove(CONVERSATION)
    expect(await device.edit(copies)).toBeUndefined()
    expect(await device.edit((database) => database.getAllKeys('states'))).toEqual([])
  })

  it('is reported without its words where the app does not listen, and whatever the app does with it', async () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    onTestFinished(() => void vi.unstubAllGlobals())
    const device = createDevice()
    const page = await device.openTab()
    await device.ask(page, 'Why?')
    await page.close()
    page.store.close()
    await device.edit((database) => database.put('drafts', { secret: 'swordfish' }, CONVERSATION))
    const silent = await device.openTab({ onDamaged: undefined })
    expect(report.mock.calls.map(String)).toEqual([
      expect.stringContaining(`conversation ${CONVERSATION} on this device was damaged: draft`),
    ])
    expect(String(report.mock.calls)).not.toContain('swordfish')
    await silent.close()
    silent.store.close()
    const broken = new Error('The app failed.')
    const throwing = await device.openTab({
      onDamaged: () => {
        throw broken
      },
    })
    expect(report).toHaveBeenLastCalledWith(broken)
    expect(throwing.shown()).toEqual(BOTH)
  })
})
