import type { Clock } from '../../src/base/clock.ts'

/** Time that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time, calling what falls due in order, and lets what was called settle after each. */
  advance(ms: number): Promise<void>
  /** The machine sleeps: the wall clock goes on, nothing else does. */
  sleep(ms: number): void
  /** Callbacks not yet called or cancelled. */
  readonly pending: number
}

const START = Date.parse('2026-03-01T08:15:00.000Z')

export function createManualClock(): ManualClock {
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>()
  let now = 0
  let slept = 0
  return {
    now: () => now,
    date: () => START + now + slept,
    after(ms, callback) {
      const timer = { at: now + ms, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const until = now + ms
      for (;;) {
        await settle()
        const next = [...timers].filter((timer) => timer.at <= until).toSorted((a, b) => a.at - b.at)[0]
        if (!next) break
        timers.delete(next)
        now = next.at
        next.callback()
      }
      now = until
      await settle()
    },
    sleep(ms) {
      slept += ms
    },
    get pending() {
      return timers.size
    },
  }
}

/** Lets promises and streams that are ready go on. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve))
  })
}
