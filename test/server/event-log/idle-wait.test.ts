import { describe, expect, it } from 'vitest'
import { createIdleWait } from '../../../src/server/event-log/idle-wait.ts'
import { createManualClock } from '../../support/manual-clock.ts'

describe('a wait that says when it is silent', () => {
  it('sets one timer for many waits, and starts again with each', async () => {
    const clock = createManualClock()
    let timers = 0
    const counting: typeof clock = {
      ...clock,
      now: () => clock.now(),
      after: (ms, callback) => {
        timers += 1
        return clock.after(ms, callback)
      },
    }
    const silence = createIdleWait<number>(counting, 1_000)
    for (let count = 0; count < 100; count++) {
      expect(await silence.orBeat(async () => count)).toBe(count)
      await clock.advance(9)
    }
    expect([timers, clock.pending]).toEqual([1, 1])
    const waiting = silence.orBeat(() => new Promise(() => {}))
    let said = false
    void waiting.then(() => (said = true))
    await clock.advance(999)
    expect([said, timers]).toEqual([false, 2])
    await clock.advance(1)
    expect(await waiting).toBe('silent')
    silence.end()
    expect(clock.pending).toBe(0)
  })

  it('continues with the same wait, and keeps what came while nobody asked', async () => {
    const clock = createManualClock()
    const silence = createIdleWait<string>(clock, 10)
    let begun = 0
    let arrive = (_value: string): void => {}
    const begin = (): Promise<string> => {
      begun += 1
      return new Promise((resolve) => {
        arrive = resolve
      })
    }
    const first = silence.orBeat(begin)
    await clock.advance(10)
    expect(await first).toBe('silent')
    arrive('late')
    await clock.advance(0)
    expect(await silence.orBeat(begin)).toBe('late')
    expect(begun).toBe(1)
  })

  it('leaves no timer when it fails, and sets none that a platform would fire at once', async () => {
    const clock = createManualClock()
    const silence = createIdleWait<string>(clock, Infinity)
    const failing = silence.orBeat(async () => Promise.reject(new Error('gone')))
    await expect(failing).rejects.toThrow('gone')
    expect(clock.pending).toBe(0)
  })
})
