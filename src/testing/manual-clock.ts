import type { Clock } from '../base/ports/clock.ts'
import { type Environment, createFrames } from '../base/ports/environment.ts'

/** Manual clock: time advances only when a test says so. */
export interface ManualClock extends Clock {
  /** Moves time, calling what falls due in order, and lets what was called settle after each. */
  advance(ms: number): Promise<void>
  /** The machine sleeps: only the wall clock continues. A negative number sets the wall clock back. */
  sleep(ms: number): void
  /** Callbacks not yet called or cancelled: 0 after a clean end. */
  readonly pending: number
  /** All of an environment that waits, on this clock, and no jitter: `environment: clock.environment` of a client. */
  readonly environment: Pick<Environment, 'clock' | 'random' | 'frames'>
}

const START = Date.parse('2026-03-01T08:15:00.000Z')

/**
 * A clock for tests: nothing waits, for time is moved by hand. Give it to the client and to the agent alike.
 *
 * @example
 * ```ts
 * import { CapClient } from 'capstan'
 * import { manualClock, scriptedAgent, silence } from 'capstan/testing'
 *
 * const clock = manualClock()
 * const { fetch } = scriptedAgent(['Rivers ', silence(), 'meander.'], { clock })
 * const client = new CapClient({ baseUrl: 'https://agent.test', fetch, environment: clock.environment })
 * void client.chat('Why?')[Symbol.asyncIterator]().next()
 * await clock.advance(60_000) // a silent minute, without waiting
 * ```
 */
export function manualClock({
  start = START,
}: {
  /** Initial value of `date()`, in milliseconds since 1970. @default 1 March 2026, 08:15 UTC */
  readonly start?: number
} = {}): ManualClock {
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>()
  let now = 0
  let slept = 0
  const clock: ManualClock = {
    now: () => now,
    date: () => start + now + slept,
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
    get environment() {
      return { clock, random: () => 0, frames: createFrames(clock, {}) }
    },
  }
  return clock
}

interface TaskHost {
  setImmediate?(callback: () => void): unknown
  setTimeout(callback: () => void, ms: number): unknown
}

/** Lets promises and streams that are ready continue: two turns of the event loop, and no waiting. */
export async function settle(): Promise<void> {
  const host: TaskHost = globalThis
  await turn(host)
  await turn(host)
}

function turn(host: TaskHost): Promise<void> {
  return new Promise((resolve) => {
    if (host.setImmediate === undefined) host.setTimeout(resolve, 0)
    else host.setImmediate(resolve)
  })
}
