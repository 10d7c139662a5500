import type { AgentError } from '../base/agent-error.ts'
import type { RunOutcome } from '../seam/agent-event.ts'

/** The phases of a {@link Connection}, which says what each means. */
export type Phase =
  | 'idle'
  | 'connecting'
  | 'queued'
  | 'streaming'
  | 'waiting'
  | 'offline'
  | 'paused'
  | 'closed'
  | 'failed'
  | 'stopped'

/**
 * State of one run's connection, a union by `phase`: an immutable value, new whenever something changed.
 *
 * `idle`: nothing sent yet. `connecting`: request on its way. `queued`: waits for one of the connections the browser shares out.
 * `streaming`: the agent has answered. `waiting`: dropped, another attempt at `nextRetryAt` (on `Clock.now()`). `offline`:
 * dropped, waits for the network. `paused`: left by `disconnect()`, can be resumed. `closed`, `failed` and `stopped` are the
 * three ways a run ends.
 *
 * `error` says why the run failed; before its end, why the connection was lost, until there is new content. `attempt` counts
 * attempts since the last new content and is 0 while nothing has failed; `maxAttempts` of them may follow a drop before the run
 * gives up. `connections` counts all connections of the run, `requests` those since the last new content. `hasOpened`: the agent
 * has answered in this run.
 */
export type Connection = (
  | { readonly phase: 'idle' | 'closed' | 'stopped'; readonly nextRetryAt?: undefined; readonly error?: undefined }
  | {
      readonly phase: 'connecting' | 'queued' | 'streaming' | 'offline' | 'paused'
      readonly nextRetryAt?: undefined
      /** Why the connection before this one was lost, until there is new content. */
      readonly error?: AgentError | undefined
    }
  | {
      readonly phase: 'waiting'
      /** Clock time (`Clock.now()`) of the next attempt. */
      readonly nextRetryAt: number
      /** Why the connection was lost. Absent: the server asked to wait before this attempt, or there were too many of late. */
      readonly error?: AgentError | undefined
    }
  | {
      readonly phase: 'failed'
      readonly nextRetryAt?: undefined
      /** Why the run failed. */
      readonly error: AgentError
    }
) & {
  /** Connection attempts since the last new content; 0 while nothing has failed. */
  readonly attempt: number
  /** Attempts that may follow a drop before the run gives up. */
  readonly maxAttempts: number
  /** All connections opened in this run, for people who look under the hood. */
  readonly connections: number
  /** Requests that were made since the last new content, or since a user took the run up again: what "after 4 attempts" counts. */
  readonly requests: number
  /** Whether the agent has answered in this run. Until then there is nothing to reconnect to. */
  readonly hasOpened: boolean
}

/** How a run ended: the agent finished, the run failed, or the app stopped it. */
export type Ending =
  | {
      readonly type: 'finished'
      readonly response?: unknown
      /** @default 'complete' */ readonly outcome?: RunOutcome | undefined
    }
  | { readonly type: 'failed'; readonly error: AgentError }
  | { readonly type: 'stopped' }

/** How a run with this connection has ended. */
export function endingOf(connection: Connection, response: unknown, outcome: RunOutcome | undefined): Ending {
  if (connection.phase === 'closed') return { type: 'finished', response, outcome }
  return connection.phase === 'failed' ? { type: 'failed', error: connection.error } : { type: 'stopped' }
}
