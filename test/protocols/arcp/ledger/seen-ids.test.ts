import { describe, expect, it } from 'vitest'
import { createSeenIds } from '../../../../src/protocols/arcp/ledger/seen-ids.ts'

describe('the ids that were seen', () => {
  it('are new once for each job', () => {
    const seen = createSeenIds()
    expect(['a', 'a', 'b'].map((id) => seen.add('job', id))).toEqual([true, false, true])
    expect(seen.add('other', 'a')).toBe(true)
    expect([seen.add(undefined, 'a'), seen.add(undefined, 'a')]).toEqual([true, false])
  })

  it('of a job that was forgotten are new again, and those of others are not', () => {
    const seen = createSeenIds()
    seen.add('job', 'a')
    seen.add('other', 'a')
    seen.delete('job')
    expect([seen.add('job', 'a'), seen.add('other', 'a')]).toEqual([true, false])
  })

  it('are the last so many of each job', () => {
    const seen = createSeenIds(3)
    for (const id of ['a', 'b', 'c', 'd']) seen.add('job', id)
    expect(['b', 'c', 'd'].map((id) => seen.add('job', id))).toEqual([false, false, false])
    expect(seen.add('job', 'a')).toBe(true)
    // A job that says much does not take the place of another.
    seen.add('other', 'z')
    for (const id of ['e', 'f', 'g']) seen.add('job', id)
    expect(seen.add('other', 'z')).toBe(false)
  })

  it('of a job that has ended are kept for a while: the last of the last jobs', () => {
    const seen = createSeenIds()
    for (let id = 0; id < 100; id += 1) seen.add('job', `id ${id}`)
    seen.end('job')
    expect([seen.add('job', 'id 99'), seen.add('job', 'id 36'), seen.add('job', 'id 35')]).toEqual([false, false, true])
    for (let job = 0; job < 64; job += 1) seen.end(`job ${job}`)
    expect(seen.add('job', 'id 99')).toBe(true)
  })

  it('of a job that has ended and is read again are those of a job that continues', () => {
    const seen = createSeenIds()
    seen.add('job', 'a')
    seen.end('job')
    seen.delete('job')
    expect(seen.add('job', 'a')).toBe(true)
    for (let job = 0; job < 65; job += 1) seen.end(`job ${job}`)
    expect(seen.add('job', 'a')).toBe(false)
  })
})
