import { describe, expect, it } from 'vitest'
import { type CheckedDisk, createCheckedDisk } from '../../../src/storage/disk/checked-disk.ts'
import type {
  AcquiredTerm,
  DamagedRecord,
  StoredThread,
  ThreadChange,
  ThreadDisk,
  ThreadRecord,
} from '../../../src/storage/records/thread-disk.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { createFakeDisk } from '../fake-tabs.ts'
import { thread } from '../over-disk.ts'

/** A disk of an app's own that hands out whatever it is given. */
class CarelessDisk implements ThreadDisk {
  readonly generation = 'generation 1'
  readonly written: ReadonlyMap<string, ThreadChange>[] = []
  readonly #rows: unknown
  readonly #records: ReadonlyMap<string, unknown>

  constructor(rows: unknown, records: ReadonlyMap<string, unknown> = new Map()) {
    this.#rows = rows
    this.#records = records
  }

  async threads(): Promise<readonly StoredThread[]> {
    // It promises what it does not check.
    return this.#rows as readonly StoredThread[]
  }

  async read(id: string): Promise<ThreadRecord> {
    const record = this.#records.get(id)
    if (record instanceof Error) throw record
    return record as ThreadRecord
  }

  async write(changes: ReadonlyMap<string, ThreadChange>): Promise<readonly string[]> {
    this.written.push(changes)
    return []
  }

  async acquireTerm(id: string): Promise<AcquiredTerm> {
    return { term: 1, removed: 0, removedAt: 0, record: await this.read(id) }
  }

  async wipe(): Promise<void> {
    this.written.length = 0
  }

  close(): void {
    this.written.length = 0
  }
}

function over(disk: ThreadDisk): { checked: CheckedDisk; damaged: DamagedRecord[] } {
  const damaged: DamagedRecord[] = []
  const checked = createCheckedDisk({
    open: async () => disk,
    onDamaged: (found) => damaged.push(found),
    clock: createManualClock(),
  })
  return { checked, damaged }
}

describe('a list with damaged rows', () => {
  it('has the rows that can be read, in their order, and reports the others', async () => {
    const { checked, damaged } = over(
      new CarelessDisk([
        null,
        5,
        'x',
        thread('c1'),
        {},
        { id: 7 },
        { ...thread('c2'), updatedAt: Number.NaN },
        thread('c3'),
      ]),
    )
    expect((await checked.threads()).map(({ id }) => id)).toEqual(['c1', 'c3'])
    expect(damaged.map(({ kind, threadId, problem }) => [kind, threadId, problem])).toEqual(
      expect.arrayContaining([
        ['thread', 'c2', 'updatedAt'],
        ['thread', '7', 'id'],
        ['thread', 'undefined', 'id'],
      ]),
    )
  })

  it('is empty when it is not a list', async () => {
    for (const rows of [null, undefined, 'x', {}, new Map()])
      expect(await over(new CarelessDisk(rows)).checked.threads()).toEqual([])
  })

  it('leaves a row out whose records cannot be read, and keeps the others', async () => {
    const { checked } = over(
      new CarelessDisk([{ ...thread('c1'), title: 1 }, thread('c2')], new Map([['c1', new Error('unreadable')]])),
    )
    expect((await checked.threads()).map(({ id }) => id)).toEqual(['c2'])
  })

  it('makes a row again from the records of its thread', async () => {
    const message = {
      id: 'a',
      role: 'user',
      status: 'sent',
      parts: [{ type: 'text', id: 't', text: 'Why?' }],
      createdAt: 3,
    }
    const record = {
      thread: { id: 'c1' },
      state: { order: ['a'], queued: [], revision: 5 },
      messages: new Map([['a', message]]),
      draft: '',
    }
    const { checked } = over(new CarelessDisk([{ id: 'c1', unread: true }], new Map([['c1', record]])))
    expect(await checked.threads()).toEqual([
      { id: 'c1', title: 'Why?', named: false, status: 'idle', unread: true, createdAt: 3, updatedAt: 3 },
    ])
  })
})

describe('a record that is none', () => {
  it.each([null, undefined, 'x', {}, [], { messages: [] }])('reads as an empty one: %j', async (record) => {
    const { checked, damaged } = over(new CarelessDisk([], new Map([['c1', record]])))
    expect(await checked.read('c1')).toEqual({ thread: undefined, state: undefined, messages: new Map(), draft: '' })
    expect(damaged).toEqual([])
  })
})

describe('a checked disk', () => {
  it('gives whole records as they are, and passes everything else on', async () => {
    const disk = createFakeDisk()
    const { checked, damaged } = over(disk)
    const message = { id: 'a', role: 'user', status: 'sent', parts: [{ type: 'text', id: 't', text: 'Why?' }] } as const
    const record = {
      thread: thread('c1'),
      state: { order: ['a'], queued: [], revision: 5 },
      messages: new Map([['a', message]]),
      draft: 'And',
    }
    await checked.write(new Map([['c1', record]]))
    expect(await checked.read('c1')).toEqual(record)
    expect(await checked.threads()).toEqual([thread('c1')])
    await checked.wipe()
    expect(disk.records.size).toBe(0)
    checked.close()
    expect(damaged).toEqual([])
  })

  it('works over an object of a class', async () => {
    const disk = new CarelessDisk([])
    const { checked } = over(disk)
    await checked.write(new Map())
    expect(disk.written).toHaveLength(1)
    await checked.wipe()
    checked.close()
    expect(disk.written).toHaveLength(0)
  })
})
