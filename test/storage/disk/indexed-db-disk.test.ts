import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openIndexedDbDisk } from '../../../src/storage/disk/indexed-db-disk.ts'
import type { StoredMessage, StoredState } from '../../../src/storage/disk/stored-state.ts'
import type { StoredThread, ThreadChange, ThreadDisk } from '../../../src/storage/disk/thread-disk.ts'
import { settle } from '../../support/manual-clock.ts'

let names = 0
let generations = 0

function newName(): string {
  const name = `disk ${(names += 1)}`
  onTestFinished(() => void deleteDB(name))
  return name
}

async function open(name: string, onDeleted = (): void => {}): Promise<ThreadDisk> {
  const disk = await openIndexedDbDisk(name, { onDeleted }, () => `generation ${(generations += 1)}`)
  onTestFinished(() => disk.close())
  return disk
}

const thread = (id: string): StoredThread => ({
  id,
  title: id,
  named: false,
  status: 'idle',
  unread: false,
  createdAt: 1,
  updatedAt: 1,
})
const state = (revision: number, order: readonly string[]): StoredState => ({ order, queued: [], revision })
const message = (id: string, text: string): StoredMessage => ({
  id,
  role: 'user',
  status: 'sent',
  parts: [{ type: 'text', id: 't', text }],
})
const write = (disk: ThreadDisk, change: ThreadChange, id = 'c1'): Promise<readonly string[]> =>
  disk.write(new Map([[id, change]]))

describe('threads in IndexedDB', () => {
  it('are read as they were written, each apart', async () => {
    const name = newName()
    const first = await open(name)
    const run = {
      turn: { requestId: 'r1', answerId: 'b', streams: new Map([['s1', 'b']]) },
      reading: { streams: new Map([['s1', { seq: 3, state: 'open' as const }]]), attempts: 1 },
      ended: false,
    }
    await write(first, {
      thread: thread('c1'),
      state: { ...state(1, ['a', 'b']), run },
      messages: new Map([
        ['a', message('a', 'Why?')],
        ['b', message('b', 'So')],
      ]),
      draft: 'And',
    })
    await write(
      first,
      { thread: thread('c1 2'), state: state(1, ['c']), messages: new Map([['c', message('c', 'Else')]]) },
      'c1 2',
    )
    first.close()
    const second = await open(name)
    expect((await second.threads()).map(({ id }) => id).toSorted()).toEqual(['c1', 'c1 2'])
    expect(await second.read('c1')).toEqual({
      thread: thread('c1'),
      state: { ...state(1, ['a', 'b']), run },
      messages: new Map([
        ['a', message('a', 'Why?')],
        ['b', message('b', 'So')],
      ]),
      draft: 'And',
    })
    await write(second, {
      state: state(2, ['a']),
      messages: new Map([
        ['a', message('a', 'Why not?')],
        ['b', undefined],
      ]),
      draft: '',
    })
    const { messages, draft, thread: kept } = await second.read('c1')
    expect([...messages.keys()]).toEqual(['a'])
    expect(messages.get('a')).toEqual(message('a', 'Why not?'))
    expect(draft).toBe('')
    expect(kept).toEqual(thread('c1'))
  })

  it('are deleted whole, and can be put back in the same write', async () => {
    const disk = await open(newName())
    await write(disk, {
      thread: thread('c1'),
      state: state(5, ['a']),
      messages: new Map([['a', message('a', 'Why?')]]),
      draft: 'x',
    })
    await write(disk, { removed: 1000 })
    expect(await disk.read('c1')).toEqual({ messages: new Map(), draft: '', thread: undefined, state: undefined })
    expect(await disk.threads()).toEqual([])
    await write(disk, {
      removed: 1000,
      thread: thread('c1'),
      state: state(4, ['a']),
      messages: new Map([['a', message('a', 'Why?')]]),
    })
    expect((await disk.read('c1')).messages.size).toBe(1)
  })

  it('keep the newer of two states, messages included', async () => {
    const disk = await open(newName())
    await write(disk, { state: state(5, ['a']), messages: new Map([['a', message('a', 'new')]]) })
    await write(disk, {
      state: state(4, ['a', 'b']),
      messages: new Map([
        ['a', message('a', 'old')],
        ['b', message('b', 'old')],
      ]),
    })
    const { state: kept, messages } = await disk.read('c1')
    expect(kept).toEqual(state(5, ['a']))
    expect(messages).toEqual(new Map([['a', message('a', 'new')]]))
  })

  it('take all of a write or nothing of it', async () => {
    const disk = await open(newName())
    await write(disk, { state: state(1, ['a']), messages: new Map([['a', message('a', 'Why?')]]) })
    const notCloneable = { ...message('b', 'So'), metadata: { later: () => {} } }
    await expect(
      write(disk, {
        state: state(2, ['a', 'b']),
        messages: new Map([
          ['a', message('a', 'What?')],
          ['b', notCloneable],
        ]),
      }),
    ).rejects.toMatchObject({ name: 'DataCloneError' })
    expect(await disk.read('c1')).toMatchObject({
      state: state(1, ['a']),
      messages: new Map([['a', message('a', 'Why?')]]),
    })
  })
})

describe('the fencing token', () => {
  const written = (term: number, revision: number, text: string): ThreadChange => ({
    term,
    thread: thread('c1'),
    state: { ...state(revision, ['a']), term },
    messages: new Map([['a', message('a', text)]]),
  })

  it('grows with every term that is given out, over all connections, and above what is asked for', async () => {
    const name = newName()
    const [one, two] = [await open(name), await open(name)]
    expect((await one.acquireTerm('c1', 0)).term).toBe(1)
    expect((await two.acquireTerm('c1', 0)).term).toBe(2)
    expect((await one.acquireTerm('c1', 40)).term).toBe(41)
    expect((await one.acquireTerm('c2', 0)).term).toBe(1)
  })

  it('refuses what an earlier leader writes, whatever its clock says, but keeps the draft', async () => {
    const disk = await open(newName())
    await disk.acquireTerm('c1', 0)
    expect(await write(disk, written(1, 5, 'old'))).toEqual([])
    await disk.acquireTerm('c1', 0)
    expect(
      await write(disk, { ...written(1, 900, 'late'), thread: { ...thread('c1'), title: 'late' }, draft: 'And' }),
    ).toEqual(['c1'])
    expect(await disk.read('c1')).toMatchObject({
      thread: thread('c1'),
      state: { revision: 5 },
      messages: new Map([['a', message('a', 'old')]]),
      draft: 'And',
    })
    expect(await write(disk, written(2, 6, 'new'))).toEqual([])
    expect(await disk.read('c1')).toMatchObject({
      state: { term: 2, revision: 6 },
      messages: new Map([['a', message('a', 'new')]]),
    })
  })

  it('outlives a removal: a leader that did not learn of it brings nothing back', async () => {
    const disk = await open(newName())
    await disk.acquireTerm('c1', 0)
    await write(disk, written(1, 5, 'old'))
    await write(disk, { removed: 1000 })
    expect(await write(disk, written(1, 6, 'late'))).toEqual(['c1'])
    expect(await disk.read('c1')).toEqual({ thread: undefined, state: undefined, messages: new Map(), draft: '' })
    expect(await disk.acquireTerm('c1', 0)).toMatchObject({ term: 3, removed: 2, removedAt: 1000 })
  })

  it('refuses an earlier leader that finds its conversation empty', async () => {
    const disk = await open(newName())
    await disk.acquireTerm('c1', 0)
    await disk.acquireTerm('c1', 0)
    await write(disk, written(2, 5, 'new'))
    expect(await write(disk, { removed: 1000, term: 1 })).toEqual(['c1'])
    expect(await disk.threads()).toEqual([thread('c1')])
  })
})

describe('data of another sign-in', () => {
  it('is not written to by a tab that did not learn of the sign-out', async () => {
    const name = newName()
    let told = 0
    const frozen = await open(name, () => {
      told += 1
    })
    await write(frozen, { thread: thread('c1') })
    // Everything is deleted, and begun again, without the database itself having gone.
    const raw = await openDB(name)
    for (const store of raw.objectStoreNames) await raw.clear(store)
    raw.close()
    const next = await open(name)
    expect(next.generation).not.toBe(frozen.generation)
    await expect(write(frozen, { thread: thread('c1') })).rejects.toMatchObject({ name: 'AbortError' })
    await expect(frozen.acquireTerm('c1', 0)).rejects.toMatchObject({ name: 'AbortError' })
    expect(told).toBe(2)
    expect(await next.threads()).toEqual([])
  })
})

describe('a database of another version', () => {
  it('is upgraded from the first version, with what is in it', async () => {
    const name = newName()
    const old = await openDB(name, 1, {
      upgrade(database) {
        for (const store of ['threads', 'states', 'messages', 'drafts']) database.createObjectStore(store)
      },
    })
    await old.put('threads', thread('c1'), 'c1')
    await old.put('states', state(7, ['a']), 'c1')
    await old.put('messages', message('a', 'Why?'), ['c1', 'a'])
    old.close()
    const disk = await open(name)
    expect(await disk.threads()).toEqual([thread('c1')])
    expect(await disk.acquireTerm('c1', 0)).toEqual({
      term: 1,
      removed: 0,
      removedAt: 0,
      record: {
        thread: thread('c1'),
        state: state(7, ['a']),
        messages: new Map([['a', message('a', 'Why?')]]),
        draft: '',
      },
    })
  })

  it('takes the steps that are missing, and no other', async () => {
    const name = newName()
    const first = await open(name)
    first.close()
    const steps: string[] = []
    const added = (step: string) => (): void => void steps.push(step)
    const disk = await openIndexedDbDisk(name, { onDeleted: () => {} }, () => 'g', [
      added('one'),
      added('two'),
      added('three'),
    ])
    onTestFinished(() => disk.close())
    expect(steps).toEqual(['three'])
  })

  it('is left alone when it is newer', async () => {
    const name = newName()
    const newer = await openDB(name, 99)
    newer.close()
    await expect(open(name)).rejects.toMatchObject({ name: 'VersionError' })
    const again = await openDB(name)
    expect(again.version).toBe(99)
    again.close()
  })

  it('lets a newer version of the app in: this one lets go', async () => {
    const name = newName()
    let deleted = false
    const disk = await open(name, () => {
      deleted = true
    })
    const newer = await openDB(name, 99)
    newer.close()
    expect(deleted).toBe(false)
    await expect(write(disk, { thread: thread('c1') })).rejects.toMatchObject({ name: 'InvalidStateError' })
  })
})

describe('a sign-out', () => {
  it('leaves no database, and other tabs are notified', async () => {
    const name = newName()
    const here = await open(name)
    await write(here, {
      thread: thread('c1'),
      state: state(1, ['a']),
      messages: new Map([['a', message('a', 'Why?')]]),
      draft: 'And',
    })
    const told: string[] = []
    await open(name, () => told.push('deleted'))
    await here.wipe()
    while (told.length === 0) await settle()
    // Until then another tab may have held it open.
    for (let turn = 0; turn < 50 && (await indexedDB.databases()).some((known) => known.name === name); turn += 1)
      await settle()
    expect((await indexedDB.databases()).filter((known) => known.name === name)).toEqual([])
  })
})
