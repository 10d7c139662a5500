import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RateLimiter, createRateLimiter } from '../../src/session/session.ts'

const MINUTE = 60_000

function worstMinute(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE).length))
}

/** Makes the next attempt as soon as it may go out. */
function attempt(limiter: RateLimiter, wish: number): number {
  const at = limiter.earliest(wish)
  limiter.count(at)
  return at
}

describe('the limiter of one run', () => {
  it('lets ten attempts through at once and then five a minute', () => {
    const limiter = createRateLimiter(0)
    let now = 0
    const times = Array.from({ length: 30 }, () => (now = attempt(limiter, now)))
    expect(times.slice(0, 10)).toEqual(Array(10).fill(0))
    expect(times.slice(10, 13)).toEqual([12_000, 24_000, 36_000])
  })

  it('never lets more than fifteen attempts into a minute, whenever they are wanted', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 80 }), (gaps) => {
        const limiter = createRateLimiter(0)
        const times: number[] = []
        let now = 0
        for (const gap of gaps) {
          now = attempt(limiter, now + gap)
          times.push(now)
        }
        expect(worstMinute(times)).toBeLessThanOrEqual(15)
        expect(times.toSorted((a, b) => a - b)).toEqual(times)
      }),
      { seed: 3, numRuns: 1000 },
    )
  })

  it('stops at twenty even when a user insists', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 8000 }), fc.boolean()), { minLength: 1, maxLength: 120 }),
        (wishes) => {
          const limiter = createRateLimiter(0)
          const times: number[] = []
          let now = 0
          for (const [gap, insists] of wishes) {
            now += gap
            if (insists) {
              if (!limiter.canRetryNow(now)) continue
              limiter.count(now)
            } else now = attempt(limiter, now)
            times.push(now)
          }
          if (times.length > 0) expect(worstMinute(times)).toBeLessThanOrEqual(20)
        },
      ),
      { seed: 5, numRuns: 1000 },
    )
  })
})
