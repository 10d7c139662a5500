/** Rate limiter (token bucket): keeps one run from hammering a server, whatever that server does and however much progress each attempt brings. */
export interface RateLimiter {
  /** Clock time, `wish` or later, at which the next attempt may go out. */
  earliest(wish: number): number
  /** Whether an attempt a person asks for may go out at once. */
  canRetryNow(now: number): boolean
  /** An attempt goes out. */
  count(now: number): void
}

/** Attempts at once, then five a minute: at most 15 in the worst minute. */
const BURST = 10
const MS_PER_ATTEMPT = 12_000
/** A person may go this far beyond: 20 in the worst minute. */
const MANUAL_BURST = 5

/** @param start of the session's own clock */
export function createRateLimiter(start: number): RateLimiter {
  let tokens = BURST
  let asOf = start

  const tokensAt = (at: number): number => Math.min(BURST, tokens + Math.max(0, at - asOf) / MS_PER_ATTEMPT)

  return {
    earliest: (wish) => wish + Math.max(0, 1 - tokensAt(wish)) * MS_PER_ATTEMPT,
    canRetryNow: (now) => tokensAt(now) >= 1 - MANUAL_BURST,
    count(now) {
      tokens = tokensAt(now) - 1
      asOf = now
    },
  }
}
