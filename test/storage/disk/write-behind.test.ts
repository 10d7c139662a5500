import { describe, expect, it } from 'vitest'
import { createFakeDisk } from '../fake-tabs.ts'
import { errorOf, over, thread } from '../over-disk.ts'

describe('a disk that takes everything', () => {
  it('is notified at the first answer', async () => {
    const { behind, told } = over(createFakeDisk())
    expect(behind.persistence).toEqual({ where: 'opening' })
    await behind.threads()
    expect(told).toEqual([{ where: 'disk' }])
  })

  it('is written to once for all that comes while it writes', async () => {
    const disk = createFakeDisk()
    const { behind } = over(disk)
    await Promise.all([1, 2, 3, 4, 5].map((number) => behind.write('c1', { draft: `draft ${number}` })))
    expect(disk.writes.length).toBeLessThanOrEqual(2)
    expect(disk.records.get('c1')?.draft).toBe('draft 5')
  })
})

describe.each([
  ['is full', 'QuotaExceededError', 'full'],
  ['breaks', 'UnknownError', 'failed'],
] as const)('a disk that %s', (_, name, reason) => {
  it('leaves everything in memory, says so, and gets it when it works again', async () => {
    const disk = createFakeDisk()
    const { behind, told } = over(disk)
    await behind.write('c1', { thread: thread('c1'), draft: 'kept' })
    disk.refusal = errorOf(name)
    await behind.write('c1', { draft: 'newer' })
    await behind.write('c2', { thread: thread('c2') })
    expect(behind.persistence).toEqual({ where: 'memory', reason })
    expect(await behind.read('c1')).toMatchObject({ thread: thread('c1'), draft: 'newer' })
    expect((await behind.threads()).map(({ id }) => id)).toEqual(['c1', 'c2'])
    expect(behind.persistence).toEqual({ where: 'memory', reason })

    disk.refusal = undefined
    await behind.write('c3', { thread: thread('c3') })
    expect([...disk.records.keys()]).toEqual(['c1', 'c2', 'c3'])
    expect(disk.records.get('c1')?.draft).toBe('newer')
    expect(told).toEqual([{ where: 'disk' }, { where: 'memory', reason }, { where: 'disk' }])
  })
})

describe('no disk at all', () => {
  it.each([
    ['the browser gives none', new ReferenceError('indexedDB is not defined'), 'unavailable'],
    ['a newer version has been there', errorOf('VersionError'), 'newer'],
  ] as const)('because %s: everything works from memory', async (_, error, reason) => {
    let opened = 0
    const { behind, clock } = over(createFakeDisk(), () => {
      opened += 1
      return Promise.reject(error)
    })
    expect(await behind.threads()).toEqual([])
    await clock.advance(120_000)
    // A newer version stays until the page is loaded again; what is missing for another reason may come.
    expect(opened).toBe(reason === 'newer' ? 1 : 7)
    await behind.write('c1', { thread: thread('c1'), draft: 'one' })
    await behind.write('c1', { draft: 'two' })
    expect(behind.persistence).toEqual({ where: 'memory', reason })
    expect(await behind.read('c1')).toMatchObject({ thread: thread('c1'), draft: 'two' })
    await behind.write('c1', { removed: 1000 })
    expect(await behind.threads()).toEqual([])
    await behind.wipe()
    expect(behind.persistence).toEqual({ where: 'nowhere' })
  })
})

describe('a connection that was closed from outside', () => {
  it('is opened again, and what was to be written is written there', async () => {
    const [first, second] = [createFakeDisk(), createFakeDisk()]
    const disks = [first, second]
    const { behind } = over(first, async () => disks.shift() ?? second)
    await behind.write('c1', { draft: 'one' })
    first.refusal = errorOf('InvalidStateError')
    await behind.write('c1', { draft: 'two' })
    expect(second.records.get('c1')?.draft).toBe('two')
    expect(behind.persistence).toEqual({ where: 'disk' })
  })
})

describe('after a sign-out', () => {
  it('nothing is written, nothing is read, and the disk is empty', async () => {
    const disk = createFakeDisk()
    const { behind } = over(disk)
    await behind.write('c1', { draft: 'secret' })
    const late = behind.write('c1', { draft: 'late' })
    await behind.wipe()
    await late
    await behind.write('c1', { draft: 'later' })
    expect(disk.records.size).toBe(0)
    expect((await behind.read('c1')).draft).toBe('')
    expect(behind.persistence).toEqual({ where: 'nowhere' })
  })
})
