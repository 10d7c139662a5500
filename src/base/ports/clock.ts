/** Time as a port: tests pass a clock of their own and no suite ever waits. */
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
