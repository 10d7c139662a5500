// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Job, createWorkQueue } from '../../../src/components/highlight/block-highlighting.ts'

afterEach(() => vi.unstubAllGlobals())

/** Plays a job of steps of 1 ms in a page that is idle for so long at each slice. Returns the steps of each slice. */
function slicesOf(idleMs: number, steps: number): number[] {
  let now = 0
  let next: IdleRequestCallback | undefined
  vi.stubGlobal('performance', { now: () => now })
  vi.stubGlobal('requestIdleCallback', (callback: IdleRequestCallback, options: IdleRequestOptions) => {
    expect(options.timeout).toBe(100)
    next = callback
  })
  const slices: number[] = []
  let left = steps
  let inSlice = 0
  const job: Job = {
    step() {
      now += 1
      left -= 1
      inSlice += 1
      return left > 0
    },
    publish() {
      slices.push(inSlice)
      inSlice = 0
    },
  }
  createWorkQueue().add(job)
  while (next !== undefined) {
    const slice = next
    next = undefined
    slice({ didTimeout: idleMs === 0, timeRemaining: () => idleMs })
  }
  return slices
}

describe('work beside a page', () => {
  it('takes as much as the browser says the page is idle, and a frame at most', () => {
    expect(slicesOf(10, 25)).toEqual([10, 10, 5])
    expect(slicesOf(49, 40)).toEqual([16, 16, 8])
  })

  it('takes 4 ms at a stretch in a page that is never idle', () => {
    expect(slicesOf(0, 10)).toEqual([4, 4, 2])
    expect(slicesOf(2, 10)).toEqual([4, 4, 2])
  })
})
