import { describe, expect, it } from 'vitest'
import { createReclaim } from '../../../src/storage/tabs/reclaim.ts'
import { NO_RECORD } from '../../../src/storage/records/thread-disk.ts'
import type { WriteBehindClaim } from '../../../src/storage/disk/write-behind.ts'
import { createManualClock } from '../../support/manual-clock.ts'

const claimOf = (isFenced: boolean): WriteBehindClaim => ({
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
    let claimed = 0
    const reclaim = createReclaim({
      clock,
      claim: async () => {
        asked.push(clock.now() / 1000)
        return claimOf(isFenced)
      },
      onClaimed: () => (claimed += 1),
    })
    const begun = clock.now() / 1000
    reclaim.later()
    for (let second = 0; second < 1300; second += 1) await clock.advance(1000)
    expect(asked.map((at) => at - begun)).toEqual([5, 15, 35, 75, 155, 315, 615, 915, 1215])
    expect(claimed).toBe(0)
    isFenced = true
    await clock.advance(300_000)
    expect([asked.length, claimed]).toEqual([10, 1])
    await clock.advance(3_600_000)
    expect([asked.length, claimed]).toEqual([10, 1])
  })

  it('is not asked any more, and not listened to, once this tab does not lead', async () => {
    const clock = createManualClock()
    let answer = (_claim: WriteBehindClaim): void => {}
    let asked = 0
    let claimed = 0
    const reclaim = createReclaim({
      clock,
      claim: () => {
        asked += 1
        return new Promise((resolve) => {
          answer = resolve
        })
      },
      onClaimed: () => (claimed += 1),
    })
    reclaim.now()
    reclaim.cancel()
    answer(claimOf(true))
    reclaim.later()
    reclaim.cancel()
    await clock.advance(3_600_000)
    expect([asked, claimed]).toEqual([1, 0])
  })
})
