import type { AgentError } from '../base/agent-error.ts'
import { clampWait } from '../base/backoff.ts'
import type { Clock } from '../base/ports/clock.ts'
import type { ResumePoint } from './resume-point.ts'

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
