import type { AgentError } from '../base/agent-error.ts'

/** A dropped connection that will be resumed. */
export interface RetryNotice {
  readonly requestId: string
  /** Attempts since the last new content, this one included. */
  readonly attempt: number
  /** Attempts that may follow a drop before the run gives up. */
  readonly maxAttempts: number
  /** Milliseconds until the attempt, 0 when it is due. */
  readonly delayMs: number
  /** Why the connection was dropped. */
  readonly error: AgentError
}

/** What a developer may want to log of the runs of a client. */
export interface RunLog {
  /**
   * Called when a connection of `chat()` or `assist()` was dropped and when another attempt comes, once for each wait;
   * while the device is offline, once it is back. What it throws is reported by `environment.report` and changes
   * nothing. Absent: not told.
   */
  readonly onRetry?: ((retry: RetryNotice) => void) | undefined
  /**
   * Called with each ERROR packet of severity WARNING of `chat()` and `assist()`, once. What it throws is reported by
   * `environment.report` and changes nothing. Absent: not told.
   */
  readonly onWarning?: ((warning: AgentError, context: { readonly requestId: string }) => void) | undefined
}
