import { describe, expect, it } from 'vitest'
import { createLiveRun } from '../../../../src/server/event-log/leased/leased-writer.ts'
import { frame, never } from '../../event-log-contract.ts'

const MARK = '3.writer'
const at = (after: number, writer = MARK): { after: number; writer: string | undefined } => ({ after, writer })

describe('a run followed beside its writer', () => {
  it('gives all who wait at one place one slice, of what Redis has acknowledged', async () => {
    const live = createLiveRun(3, MARK)
    const waiting = Array.from({ length: 10 }, async () => live.next(at(3), never))
    const entries = [frame('a'), frame('b')]
    live.added(entries)
    const slices = new Set(await Promise.all(waiting))
    expect([...slices]).toEqual([{ entries, end: 5, closed: false }])
    const last = live.next(at(5), never)
    live.closed()
    expect(await last).toEqual({ entries: [], end: 5, closed: true })
    expect(await live.next(at(5), never)).toBeUndefined()
  })

  it('has what came while a follower was busy, in bounded memory, and sends those further behind to Redis', async () => {
    const live = createLiveRun(0, MARK)
    for (let count = 0; count < 100; count++) live.added([frame('x'.repeat(1_000))])
    const near = await live.next(at(95), never)
    expect([near?.entries.length, near?.end]).toEqual([5, 100])
    expect(await live.next(at(90), never)).toBeUndefined()
    const waiting = live.next(at(100), never)
    live.added([frame('x'.repeat(100_000))])
    expect((await waiting)?.entries).toHaveLength(1)
    expect(await live.next(at(100), never)).toBeUndefined()
  })

  it('sends those to Redis who have read what another wrote, and those who are ahead', async () => {
    const live = createLiveRun(3, MARK)
    live.added([frame('a'), frame('b')])
    expect(await live.next(at(4, 'another'), never)).toBeUndefined()
    expect(await live.next(at(6), never)).toBeUndefined()
    expect((await live.next(at(3, 'another'), never))?.entries).toEqual([frame('a'), frame('b')])
  })

  it('sends all to Redis when its writer is lost, and lets go of those who leave', async () => {
    const live = createLiveRun(0, MARK)
    const left = new AbortController()
    const [stays, leaves] = [live.next(at(0), never), live.next(at(0), left.signal)]
    left.abort(new Error('gone'))
    await expect(leaves).rejects.toThrow('gone')
    live.lost()
    expect(await stays).toBeUndefined()
    live.added([frame('late')])
    expect(await live.next(at(0), never)).toBeUndefined()
  })
})
