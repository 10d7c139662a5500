import type { AgentError } from '../base/agent-error.ts'
import { clampWait } from '../base/backoff.ts'
import type { Clock } from '../base/ports/clock.ts'
import type { ResumePoint } from './resume-point.ts'

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

/** The wait the server asked for: no automatic attempt is made before it is over. Saved in the resume point, so that it holds after a reload. */
export interface RetryAfter {
  /** When the wait is over, on the monotonic clock. */
  readonly until: number
  /** Records the wait of an error; returns its milliseconds. A longer wait replaces a shorter one. */
  record(error: AgentError): number
  clear(): void
}

export function createRetryAfter(resumePoint: ResumePoint, clock: Clock): RetryAfter {
  let until = clock.now() + clampWait((resumePoint.notBefore ?? 0) - clock.date())
  return {
    get until() {
      return until
    },
    record({ retryAfterMs = 0 }) {
      const asked = clampWait(retryAfterMs)
      if (asked > 0 && clock.now() + asked > until) {
        until = clock.now() + asked
        resumePoint.notBefore = clock.date() + asked
      }
      return asked
    },
    clear() {
      until = 0
      resumePoint.notBefore = undefined
    },
  }
}
