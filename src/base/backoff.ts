import type { AgentError } from './agent-error.ts'

/** Retry policy: how many attempts follow a failure, and how long each waits. All runs of a client share it, so it keeps no state. */
export interface RetryPolicy {
  /** Consecutive attempts without new content or a heartbeat before the run gives up (RFC 004 `max_retries`). */
  readonly maxAttempts: number
  /** Milliseconds to wait before attempt `attempt` (1 = first retry). `random` is 0 up to 1. A wait that the server asked for is kept even where this is shorter. */
  delayMs(attempt: number, error: AgentError, random: number): number
  /** Also retry an HTTP error on the very first attempt, which RFC 004 does not. @default false */
  readonly retryHttp?: boolean | undefined
}

/** Large enough that clients that were disconnected at the same time spread their reconnects: see decision 008. */
const BASE_MS = 3000
const CAP_MS = 30_000
const LONGEST_WAIT_MS = 3_600_000

/** Clamps the wait that a server asks for to 0 ms up to one hour. A value that is not a number counts as 0. */
export function clampWait(ms: number): number {
  return Math.min(LONGEST_WAIT_MS, Math.max(0, ms || 0))
}

/**
 * Exponential backoff with full jitter: the ceiling is 3 s and doubles up to 30 s, and the wait is random between 0 and
 * the ceiling, so that clients that were disconnected at the same time do not reconnect at the same time. The wait that
 * the server asks for is the minimum.
 *
 * @example
 * ```ts
 * import { backoff, CapClient } from 'capstan'
 *
 * const retry = backoff({ maxAttempts: 5, retryHttp: true })
 * const client = new CapClient({ baseUrl: '/api/agent', retry })
 * ```
 */
export function backoff(
  options: {
    /** Consecutive attempts without new content or a heartbeat before the run gives up. @default 3 */
    readonly maxAttempts?: number
    /** Ceiling of the first wait, in milliseconds; RFC 004 section 3.2 has 500 and no jitter. @default 3000 */
    readonly baseMs?: number
    /** Highest ceiling, in milliseconds. @default 30_000 */
    readonly capMs?: number
    /** Also retry an HTTP error on the very first attempt. @default false */
    readonly retryHttp?: boolean
  } = {},
): RetryPolicy {
  const { maxAttempts = 3, baseMs = BASE_MS, capMs = CAP_MS, retryHttp = false } = options
  return {
    maxAttempts,
    retryHttp,
    delayMs(attempt, error, random) {
      const ceiling = Math.min(capMs, baseMs * 2 ** (attempt - 1))
      return clampWait(error.retryAfterMs ?? 0) + Math.round(ceiling * random)
    },
  }
}
