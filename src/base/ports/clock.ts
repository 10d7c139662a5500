import { onAbort } from '../on-abort.ts'

/** Time as a port: tests pass their own clock and no suite ever waits. */
export interface Clock {
  /** Monotonic milliseconds; only differences mean anything. */
  now(): number
  /** Milliseconds since 1970 on the wall, for timestamps people read. */
  date(): number
  /** Calls back once after `ms` milliseconds; the returned function cancels. */
  after(ms: number, callback: () => void): () => void
}

/** Longest wait of a timer of the platform: a longer one would call back at once. */
export const LONGEST_TIMER_MS = 2_147_483_647

/**
 * Shortest silence before a comment that makes it a heartbeat, in milliseconds. What opens a stream, and the pieces of a large frame,
 * follow each other faster.
 */
export const SHORTEST_BEAT_MS = 1000

/** The clock of the machine the code runs on. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

/** Waits, or not longer than until the signal aborts. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      release?.()
      resolve()
    }
    let release: (() => void) | undefined
    const cancel = clock.after(ms, end)
    release = signal && onAbort(signal, end)
  })
}

/** Rejects after a time. A late reply is ignored. */
export function within<Value>(promise: Promise<Value>, clock: Clock, ms: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.max(0, ms), () => reject(new Error('No answer in time.')))
    promise.then(resolve, reject).finally(cancel)
  })
}

/** Awaits a promise, and calls `give` if it has not settled in time. The promise still decides the result. */
export function withTimeout<Value>(
  promise: Promise<Value>,
  clock: Clock,
  ms: number,
  give: () => void,
): Promise<Value> {
  const cancel = clock.after(ms, give)
  return promise.finally(cancel)
}
