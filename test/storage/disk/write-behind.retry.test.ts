import { describe, expect, it } from 'vitest'
import type { StoredMessage, StoredState } from '../../../src/storage/disk/stored-state.ts'
import { settle } from '../../support/manual-clock.ts'
import type { FakeDisk } from '../fake-tabs.ts'
import { createFakeDisk } from '../fake-tabs.ts'
import { errorOf, over, thread } from '../over-disk.ts'

describe.each([
  ['is full', 'QuotaExceededError', 'full'],
  ['breaks', 'UnknownError', 'failed'],
] as const)('a disk that %s while nothing else is written', (_, name, reason) => {
  it('is tried again after 1, 2, 4 … 60 seconds, and gets what waited when there is space again', async () => {
    const disk = createFakeDisk()
    const { behind, told, clock } = over(disk)
    await behind.write('c1', { thread: thread('c1') })
    disk.refusal = errorOf(name)
    await behind.write('c1', { draft: 'newer' })
    const before = disk.attempts
    const tried: number[] = []
    for (let second = 1; second <= 200; second += 1) {
      const known = disk.attempts
      await clock.advance(1000)
      if (disk.attempts > known) tried.push(second)
    }
    expect(tried).toEqual([1, 3, 7, 15, 31, 63, 123, 183])
    expect(disk.attempts - before).toBe(tried.length)
    disk.refusal = undefined
    await clock.advance(60_000)
    expect(disk.records.get('c1')?.draft).toBe('newer')
    expect(told).toEqual([{ where: 'disk' }, { where: 'memory', reason }, { where: 'disk' }])
    const after = disk.attempts
    await clock.advance(600_000)
    expect(disk.attempts).toBe(after)
  })

  it('is tried immediately when asked to, as when the page is shown again or left', async () => {
    const disk = createFakeDisk()
    const { behind } = over(disk)
    await behind.write('c1', { thread: thread('c1') })
    disk.refusal = errorOf(name)
    await behind.write('c1', { draft: 'newer' })
    disk.refusal = undefined
    await behind.retry()
    expect(disk.records.get('c1')?.draft).toBe('newer')
    expect(behind.persistence).toEqual({ where: 'disk' })
    const after = disk.attempts
    await behind.retry()
    expect(disk.attempts).toBe(after)
  })

  it('begins with the shortest backoff again after it has worked', async () => {
    const disk = createFakeDisk()
    const { behind, clock } = over(disk)
    await behind.write('c1', { thread: thread('c1') })
    disk.refusal = errorOf(name)
    await behind.write('c1', { draft: 'one' })
    await clock.advance(20_000)
    disk.refusal = undefined
    await behind.write('c1', { draft: 'two' })
    disk.refusal = errorOf(name)
    await behind.write('c1', { draft: 'three' })
    disk.refusal = undefined
    await clock.advance(1000)
    expect(disk.records.get('c1')?.draft).toBe('three')
  })
})

describe('a thread the disk refuses', () => {
  it('stays in memory, and keeps no other thread from the disk', async () => {
    const disk = createFakeDisk()
    const { behind, clock } = over(disk)
    await behind.threads()
    disk.refusedThreads.set('c2', errorOf('DataCloneError'))
    await Promise.all(['c1', 'c2', 'c3'].map((id) => behind.write(id, { thread: thread(id) })))
    expect([...disk.records.keys()]).toEqual(['c1', 'c3'])
    expect(behind.persistence).toEqual({ where: 'memory', reason: 'failed' })
    await behind.write('c4', { thread: thread('c4') })
    expect([...disk.records.keys()]).toEqual(['c1', 'c3', 'c4'])
    disk.refusedThreads.clear()
    await clock.advance(1000)
    expect([...disk.records.keys()]).toEqual(['c1', 'c3', 'c4', 'c2'])
    expect(behind.persistence).toEqual({ where: 'disk' })
  })
})

describe('a thread that could not be read', () => {
  const state = (revision: number, ...order: string[]): StoredState => ({ order, queued: [], revision })
  const message = (id: string): StoredMessage => ({
    id,
    role: 'user',
    status: 'sent',
    parts: [{ type: 'text', id: 't', text: id }],
  })

  it('is not erased by what is written without it: its past stays in front', async () => {
    const disk = createFakeDisk()
    await disk.write(
      new Map([
        [
          'c1',
          {
            term: 1,
            thread: { ...thread('c1'), title: 'The past' },
            state: { ...state(5, 'a', 'b'), term: 1 },
            messages: new Map([
              ['a', message('a')],
              ['b', message('b')],
            ]),
          },
        ],
      ]),
    )
    const { behind, clock } = over(disk)
    disk.readRefusal = errorOf('UnknownError')
    expect(await behind.acquireTerm('c1', 0)).toMatchObject({
      isFenced: false,
      isRead: false,
      record: { messages: new Map() },
    })
    await behind.write('c1', {
      term: 0,
      thread: { ...thread('c1'), title: 'New' },
      state: { ...state(3, 'c'), term: 0 },
      messages: new Map([['c', message('c')]]),
    })
    expect(disk.records.get('c1')?.state?.order).toEqual(['a', 'b'])
    expect((await behind.read('c1')).state?.order).toEqual(['c'])
    disk.readRefusal = undefined
    await clock.advance(1000)
    expect(disk.records.get('c1')?.state).toEqual({ ...state(6, 'a', 'b', 'c'), term: 2, performed: [] })
    expect(disk.records.get('c1')?.thread?.title).toBe('The past')
    expect([...(disk.records.get('c1')?.messages.keys() ?? [])]).toEqual(['a', 'b', 'c'])
    // The next leader has read it, and drops messages of its own accord.
    await behind.write('c1', { term: 3, state: { ...state(8, 'a'), term: 3 } })
    expect(disk.records.get('c1')?.state?.order).toEqual(['a'])
  })

  it('gets nothing of a leader of before once the conversation was removed', async () => {
    const disk = createFakeDisk()
    const { behind } = over(disk)
    await behind.write('c1', {
      term: 1,
      thread: thread('c1'),
      state: { ...state(1, 'a'), term: 1 },
      messages: new Map([['a', message('a')]]),
    })
    await disk.write(new Map([['c1', { removed: 5 }]]))
    await behind.write('c1', {
      term: 1,
      thread: thread('c1'),
      state: { ...state(2, 'a', 'b'), term: 1 },
      messages: new Map([['b', message('b')]]),
    })
    expect([...disk.records]).toEqual([])
  })

  it('because the disk is full is read all the same, for a leader that gets no term', async () => {
    const disk = createFakeDisk()
    await disk.write(
      new Map([
        [
          'c1',
          {
            term: 3,
            thread: thread('c1'),
            state: { ...state(5, 'a'), term: 3 },
            messages: new Map([['a', message('a')]]),
          },
        ],
      ]),
    )
    const { behind } = over(disk)
    disk.refusal = errorOf('QuotaExceededError')
    expect(await behind.acquireTerm('c1', 0)).toMatchObject({
      term: 4,
      isFenced: false,
      isRead: true,
      record: { state: { order: ['a'] } },
    })
  })

  it('is deleted whole when it is deleted', async () => {
    const disk = createFakeDisk()
    await disk.write(
      new Map([['c1', { thread: thread('c1'), state: state(5, 'a'), messages: new Map([['a', message('a')]]) }]]),
    )
    const { behind, clock } = over(disk)
    disk.readRefusal = errorOf('UnknownError')
    await behind.read('c1')
    disk.readRefusal = undefined
    await behind.write('c1', { removed: 1000 })
    await behind.write('c1', { thread: thread('c1'), state: state(9, 'b'), messages: new Map([['b', message('b')]]) })
    await clock.advance(1000)
    expect(disk.records.get('c1')?.state).toEqual(state(9, 'b'))
  })
})

describe('what waits to be written', () => {
  const written = {
    term: 1,
    state: { order: ['a'], queued: [], revision: 5, term: 1 },
    messages: new Map([['a', { id: 'a', role: 'user' as const, status: 'sent' as const, parts: [] }]]),
  }

  it('is written before this tab acquires the next term, under which it would be refused', async () => {
    const disk = createFakeDisk()
    const { behind } = over(disk)
    expect(await behind.acquireTerm('c1', 0)).toMatchObject({ term: 1 })
    disk.refusal = errorOf('QuotaExceededError')
    await behind.write('c1', written)
    disk.refusal = undefined
    expect(await behind.acquireTerm('c1', 0)).toMatchObject({ term: 2, record: { state: { order: ['a'] } } })
    expect(disk.records.get('c1')?.state?.order).toEqual(['a'])
  })

  it('is not overtaken by what is read', async () => {
    const disk = createFakeDisk()
    const steps: string[] = []
    let write = (): void => {}
    const slow: Partial<FakeDisk> = {
      write: async (changes) => {
        await new Promise<void>((resolve) => {
          write = resolve
        })
        steps.push('write')
        return disk.write(changes)
      },
      read: async (id) => {
        steps.push('read')
        return disk.read(id)
      },
    }
    const { behind } = over(disk, async () => ({ ...disk, ...slow }))
    void behind.write('c1', written)
    const reading = behind.read('c1')
    await settle()
    expect(steps).toEqual([])
    write()
    expect((await reading).state?.order).toEqual(['a'])
    expect(steps).toEqual(['write', 'read'])
  })
})

describe('a database that does not open at first', () => {
  it('is opened later, beside the work from memory, and gets what waited', async () => {
    const disk = createFakeDisk()
    await disk.write(new Map([['c0', { thread: thread('c0') }]]))
    let opened = 0
    const { behind, clock, told } = over(disk, async () => {
      opened += 1
      if (opened < 3) throw errorOf('AbortError')
      return disk
    })
    expect(await behind.threads()).toEqual([])
    await behind.write('c1', { thread: thread('c1') })
    expect(behind.persistence).toEqual({ where: 'memory', reason: 'unavailable' })
    expect(opened).toBe(1)
    await clock.advance(3000)
    expect([...disk.records.keys()]).toEqual(['c0', 'c1'])
    expect(told).toEqual([{ where: 'memory', reason: 'unavailable' }, { where: 'disk' }])
  })

  it('counts as unavailable after 5 seconds, and is closed when it opens after all', async () => {
    const disk = createFakeDisk()
    let closed = 0
    let give = (_disk: FakeDisk): void => {}
    const { behind, clock } = over(disk, () => new Promise((resolve) => (give = resolve)))
    const reading = behind.threads()
    await settle()
    const late = give
    await clock.advance(5000)
    expect(await reading).toEqual([])
    expect(behind.persistence).toEqual({ where: 'memory', reason: 'unavailable' })
    late({ ...disk, close: () => void (closed += 1) })
    await settle()
    expect(closed).toBe(1)
    // Nobody waits for the next attempt.
    await clock.advance(1000)
    expect(await behind.threads()).toEqual([])
  })
})

describe('a transaction that is never answered', () => {
  it('counts as failed after 10 seconds and is tried again, so that no other thread waits for ever', async () => {
    const disk = createFakeDisk()
    const never = { ...disk, write: () => new Promise<never>(() => {}) }
    const disks = [never, disk]
    let used: FakeDisk = never
    const { behind, clock } = over(disk, async () => ({ ...disk, write: (changes) => used.write(changes) }))
    await behind.threads()
    void behind.write('c1', { thread: thread('c1') })
    const reading = behind.read('c2')
    await clock.advance(10_000)
    expect((await reading).messages.size).toBe(0)
    expect(behind.persistence).toEqual({ where: 'memory', reason: 'failed' })
    used = disks[1] ?? disk
    await clock.advance(1000)
    expect([...disk.records.keys()]).toEqual(['c1'])
  })
})

describe('a full disk that gives out no term but can be read', () => {
  it('is reported as full however often it is read, and as the disk again once it gives out a term', async () => {
    const disk = createFakeDisk()
    const { behind, told } = over(disk)
    await behind.write('c1', { thread: thread('c1') })
    disk.refusal = errorOf('QuotaExceededError')
    expect(await behind.acquireTerm('c1', 0)).toMatchObject({ isFenced: false, isRead: true })
    await behind.read('c1')
    await behind.threads()
    expect(behind.persistence).toEqual({ where: 'memory', reason: 'full' })
    disk.refusal = undefined
    expect(await behind.acquireTerm('c1', 0)).toMatchObject({ isFenced: true })
    await behind.read('c1')
    expect(told).toEqual([{ where: 'disk' }, { where: 'memory', reason: 'full' }, { where: 'disk' }])
  })

  it('is reported as the disk again once it takes a write', async () => {
    const disk = createFakeDisk()
    const { behind } = over(disk)
    disk.refusal = errorOf('QuotaExceededError')
    await behind.acquireTerm('c1', 0)
    await behind.read('c1')
    expect(behind.persistence).toEqual({ where: 'memory', reason: 'full' })
    disk.refusal = undefined
    await behind.write('c1', { thread: thread('c1') })
    expect(behind.persistence).toEqual({ where: 'disk' })
  })
})

describe('a write that is refused while the same tab writes under a later term', () => {
  it('drops nothing of the later write', async () => {
    const disk = createFakeDisk()
    let arrive = (): void => {}
    const held = new Promise<void>((resolve) => (arrive = resolve))
    let attempts = 0
    const { behind } = over(disk, async () => ({
      ...disk,
      write: async (changes) => ((attempts += 1) === 1 ? held.then(() => disk.write(changes)) : disk.write(changes)),
    }))
    const { term: later } = await disk.acquireTerm('c1', 4)
    const state = (revision: number, term: number): StoredState => ({ revision, term, order: [], queued: [] })
    const first = behind.write('c1', { thread: thread('c1'), term: 0, state: state(1, 0) })
    await settle()
    const second = behind.write('c1', { thread: thread('c1'), term: later, state: state(2, later) })
    arrive()
    expect([await first, await second]).toEqual([false, true])
    expect(disk.records.get('c1')?.state).toMatchObject({ revision: 2, term: later })
  })
})

describe('closing', () => {
  it('tries what waits once more, then lets go of the disk and sets no timer', async () => {
    const disk = createFakeDisk()
    const steps: string[] = []
    const { behind, clock } = over(disk, async () => ({
      ...disk,
      write: async (changes) => (steps.push('write'), disk.write(changes)),
      close: () => void steps.push('close'),
    }))
    await behind.threads()
    disk.refusal = errorOf('QuotaExceededError')
    await behind.write('c1', { thread: thread('c1') })
    behind.close()
    await settle()
    expect(steps).toEqual(['write', 'write', 'close'])
    await clock.advance(600_000)
    expect(steps).toHaveLength(3)
  })
})
