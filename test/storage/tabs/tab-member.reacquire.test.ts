import { describe, expect, it } from 'vitest'
import { createReacquire } from '../../../src/storage/tabs/tab-member.ts'
import { NO_RECORD } from '../../../src/storage/disk/thread-disk.ts'
import type { WriteBehindTerm } from '../../../src/storage/disk/write-behind.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const termOf = (isFenced: boolean): WriteBehindTerm => ({
  term: 3,
  removed: 0,
  removedAt: 0,
  record: NO_RECORD,
  stored: [],
  isFenced,
  isRead: isFenced,
})

describe('a disk that gives no term out', () => {
  it('is asked again after 5 s, doubled to 5 min, until it gives one out', async () => {
    const clock = createManualClock()
    const asked: number[] = []
    let isFenced = false
    let acquired = 0
    const reacquire = createReacquire({
      clock,
      acquireTerm: async () => {
        asked.push(clock.now() / 1000)
        return termOf(isFenced)
      },
      onAcquired: () => (acquired += 1),
    })
    const begun = clock.now() / 1000
    reacquire.later()
    for (let second = 0; second < 1300; second += 1) await clock.advance(1000)
    expect(asked.map((at) => at - begun)).toEqual([5, 15, 35, 75, 155, 315, 615, 915, 1215])
    expect(acquired).toBe(0)
    isFenced = true
    await clock.advance(300_000)
    expect([asked.length, acquired]).toEqual([10, 1])
    await clock.advance(3_600_000)
    expect([asked.length, acquired]).toEqual([10, 1])
  })

  it('is not asked any more, and not listened to, once this tab does not lead', async () => {
    const clock = createManualClock()
    let answer = (_acquired: WriteBehindTerm): void => {}
    let asked = 0
    let acquired = 0
    const reacquire = createReacquire({
      clock,
      acquireTerm: () => {
        asked += 1
        return new Promise((resolve) => {
          answer = resolve
        })
      },
      onAcquired: () => (acquired += 1),
    })
    reacquire.now()
    reacquire.cancel()
    answer(termOf(true))
    reacquire.later()
    reacquire.cancel()
    await clock.advance(3_600_000)
    expect([asked, acquired]).toEqual([1, 0])
  })
})
