import type { AgentError } from './agent-error.ts'

/** When and how often a dropped run is tried again. Whoever retries reads it: the session, and a proxy on its server. */
export interface RetryPolicy {
  /** Consecutive attempts without new content before the run gives up (RFC 004 `max_retries`). */
  readonly maxAttempts: number
  /** Milliseconds to wait before attempt `attempt` (1 = first retry). `random` is 0 up to 1. A wait that the server asked for is kept even where this is shorter. */
  delayMs(attempt: number, error: AgentError, random: number): number
  /** Also retry an HTTP error on the very first attempt (RFC 004 does not; default false). */
  readonly retryHttp?: boolean | undefined
}

/** Wide enough that clients cut together come back thinly: decision 008 has the figures. */
const BASE_MS = 3000
const CAP_MS = 30_000
const LONGEST_WAIT_MS = 3_600_000

/** Milliseconds that a server's wish to wait counts for: from nothing to one hour. What is not a number counts for nothing. */
export function clampWait(ms: number): number {
  return Math.min(LONGEST_WAIT_MS, Math.max(0, ms || 0))
}

/**
 * Exponential backoff with full jitter: the ceiling is 3 s and doubles up to 30 s, and the wait is anything from nothing to that
 * long, so that clients cut together do not come back together. What the server asks for is the floor.
 *
 * @param options.baseMs ceiling of the first wait; RFC 004 section 3.2 has 0.5 s and no jitter
 * @param options.maxAttempts consecutive attempts without new content (default 3)
 */
export function backoff(options: { readonly maxAttempts?: number; readonly baseMs?: number; readonly capMs?: number; readonly retryHttp?: boolean } = {}): RetryPolicy {
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
