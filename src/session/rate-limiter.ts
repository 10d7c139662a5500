/**
 * Rate limiter (token bucket) for the attempts of one run. It applies whatever the server does, also when each attempt
 * brings new content.
 */
export interface RateLimiter {
  /** Clock time, `wish` or later, at which the next attempt may go out. */
  earliest(wish: number): number
  /** Whether an attempt that the user asks for is allowed now. */
  canRetryNow(now: number): boolean
  /** An attempt goes out. */
  count(now: number): void
}

/** Burst of attempts, then five a minute: at most 15 in the worst minute. */
const BURST = 10
const MS_PER_ATTEMPT = 12_000
/** A user may go this far beyond: 20 in the worst minute. */
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
