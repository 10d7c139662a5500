import type { AgentError } from '../base/agent-error.ts'

/**
 * Where a run's line stands. `idle`: nothing sent yet. `connecting`: request on its way. `queued`: waits
 * for one of the connections the browser shares out. `streaming`:
 * the agent has answered. `waiting`: dropped, another attempt at `nextRetryAt`. `offline`: dropped,
 * waits for the network. `paused`: left by `disconnect()`, can be resumed. `closed`, `failed` and
 * `stopped` are the three ways a run ends.
 */
export type Phase = 'idle' | 'connecting' | 'queued' | 'streaming' | 'waiting' | 'offline' | 'paused' | 'closed' | 'failed' | 'stopped'

/** The state of one run's line: an immutable value, new whenever something changed. */
export interface Connection {
  readonly phase: Phase
  /** Connection attempts since the last new content; 0 while nothing has failed. */
  readonly attempt: number
  /** Attempts that may follow a drop before the run gives up. */
  readonly maxAttempts: number
  /** Clock time (`Clock.now()`) of the next attempt, in phase `waiting`. */
  readonly nextRetryAt: number | undefined
  /** Why the line is down, or why the run failed. */
  readonly error: AgentError | undefined
  /** All connections opened in this run, for people who look under the hood. */
  readonly connections: number
  /** Requests that were made since the last new content, or since a person took the run up again: what "after 4 attempts" counts. */
  readonly requests: number
  /** Whether the agent has answered in this run. Until then there is nothing to reconnect to. */
  readonly hasOpened: boolean
}
