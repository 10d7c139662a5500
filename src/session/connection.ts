import type { AgentError } from '../base/agent-error.ts'

/** What is known of a run's connection in every phase. */
interface ConnectionCounts {
  /** Connection attempts since the last new content; 0 while nothing has failed. */
  readonly attempt: number
  /** Attempts that may follow a drop before the run gives up. */
  readonly maxAttempts: number
  /** All connections opened in this run, for people who look under the hood. */
  readonly connections: number
  /** Requests that were made since the last new content, or since a person took the run up again: what "after 4 attempts" counts. */
  readonly requests: number
  /** Whether the agent has answered in this run. Until then there is nothing to reconnect to. */
  readonly hasOpened: boolean
}

/** Nothing was sent yet (`idle`), or the run has ended well (`closed`) or by the person (`stopped`). */
interface QuietConnection<Name extends 'idle' | 'closed' | 'stopped'> extends ConnectionCounts {
  readonly phase: Name
  readonly nextRetryAt?: undefined
  readonly error?: undefined
}

/** The run goes on, or can. */
interface OpenConnection<Name extends 'connecting' | 'queued' | 'streaming' | 'offline' | 'paused'> extends ConnectionCounts {
  readonly phase: Name
  readonly nextRetryAt?: undefined
  /** Why the connection before this one was lost, until there is new content. */
  readonly error?: AgentError | undefined
}

interface WaitingConnection extends ConnectionCounts {
  readonly phase: 'waiting'
  /** Clock time (`Clock.now()`) of the next attempt. */
  readonly nextRetryAt: number
  /** Why the connection was lost. Absent: the run waits before its first attempt, because the server asked for that. */
  readonly error?: AgentError | undefined
}

interface FailedConnection extends ConnectionCounts {
  readonly phase: 'failed'
  readonly nextRetryAt?: undefined
  /** Why the run failed. */
  readonly error: AgentError
}

/**
 * State of one run's connection, a union by `phase`: an immutable value, new whenever something changed. `idle`: nothing sent yet.
 * `connecting`: request on its way. `queued`: waits for one of the connections the browser shares out. `streaming`: the agent
 * has answered. `waiting`: dropped, another attempt at `nextRetryAt`. `offline`: dropped, waits for the network. `paused`: left
 * by `disconnect()`, can be resumed. `closed`, `failed` and `stopped` are the three ways a run ends.
 */
export type Connection =
  | QuietConnection<'idle'>
  | OpenConnection<'connecting'>
  | OpenConnection<'queued'>
  | OpenConnection<'streaming'>
  | WaitingConnection
  | OpenConnection<'offline'>
  | OpenConnection<'paused'>
  | QuietConnection<'closed'>
  | FailedConnection
  | QuietConnection<'stopped'>

/** The phases of a {@link Connection}. */
export type Phase = Connection['phase']
