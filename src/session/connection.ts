/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    [*] --> idle
    state unfinished {
        idle --> connecting: started
        idle --> waiting: deferred
        state live {
            connecting --> queued: held
            queued --> connecting: admitted
            connecting --> streaming: opened, progressed
            connecting --> waiting: interrupted, dropped
            streaming --> waiting: interrupted, dropped
            waiting --> connecting: due, retried
            waiting --> offline: went-offline
            offline --> waiting: came-online
            offline --> connecting: retried
        }
        idle --> paused: disconnected
        live --> paused: disconnected
        paused --> connecting: resumed, retried
        paused --> waiting: deferred
    }
    live --> closed: finished
    paused --> closed: finished
    unfinished --> stopped: stopped
    unfinished --> failed: failed
    failed --> connecting: resumed
    failed --> waiting: deferred
    failed --> stopped: stopped
*/

import type { AgentError } from '../base/agent-error.ts'
import type { RunOutcome } from '../seam/agent-event.ts'
import { transitionTable, type TransitionTable } from '../base/transition-table.ts'

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

/** All that can happen to a connection. Times are passed in: nothing here reads a clock. */
export type Input =
  | { readonly type: 'started' }
  /** No connection is free: others hold them all. */
  | { readonly type: 'held' }
  /** A connection became free. */
  | { readonly type: 'admitted' }
  /** The agent answered: headers are here. */
  | { readonly type: 'opened' }
  /** New content arrived: the connection works, the retry counter begins again. */
  | { readonly type: 'progressed' }
  /** A TRANSIENT error in the stream: continue reading, reconnect at `nextRetryAt`. */
  | { readonly type: 'interrupted'; readonly error: AgentError; readonly nextRetryAt: number }
  /** The connection ended before the run did. */
  | { readonly type: 'dropped'; readonly error: AgentError; readonly nextRetryAt: number }
  /** The wait has ended. */
  | { readonly type: 'due' }
  /** The user would not wait. */
  | { readonly type: 'retried' }
  | { readonly type: 'went-offline' }
  | { readonly type: 'came-online'; readonly nextRetryAt: number }
  | { readonly type: 'finished' }
  /** A failure that no further attempt can mend, or one attempt too many. */
  | { readonly type: 'failed'; readonly error: AgentError }
  | { readonly type: 'stopped' }
  | { readonly type: 'disconnected' }
  | { readonly type: 'resumed' }
  /** Started or resumed, but deferred: the server asked to wait, or the rate limiter has no token. */
  | { readonly type: 'deferred'; readonly nextRetryAt: number }

/**
 * State machine of a connection: every phase against every input, the whole behaviour on one page. A dot: nothing changes, except
 * where {@link next} says otherwise.
 */
// oxfmt-ignore
export const CONNECTION_TRANSITIONS: TransitionTable<Phase, Input['type']> = /* @__PURE__ */ transitionTable(
                    ['idle',       'connecting', 'queued',     'streaming', 'waiting',    'offline',    'paused',     'failed',     'closed', 'stopped'],
  {
    started:        ['connecting', '.',          '.',          '.',         '.',          '.',          '.',          '.',          '.',      '.'],
    held:           ['.',          'queued',     '.',          '.',         '.',          '.',          '.',          '.',          '.',      '.'],
    admitted:       ['.',          '.',          'connecting', '.',         '.',          '.',          '.',          '.',          '.',      '.'],
    opened:         ['.',          'streaming',  '.',          '.',         '.',          '.',          '.',          '.',          '.',      '.'],
    progressed:     ['.',          'streaming',  '.',          '.',         '.',          '.',          '.',          '.',          '.',      '.'],
    // After an interruption the old connection may still speak: that is content, not a reason to change the plan.
    interrupted:    ['.',          'waiting',    '.',          'waiting',   '.',          '.',          '.',          '.',          '.',      '.'],
    dropped:        ['.',          'waiting',    '.',          'waiting',   '.',          '.',          '.',          '.',          '.',      '.'],
    due:            ['.',          '.',          '.',          '.',         'connecting', '.',          '.',          '.',          '.',      '.'],
    retried:        ['.',          '.',          '.',          '.',         'connecting', 'connecting', 'connecting', '.',          '.',      '.'],
    // Only a hint: an attempt under way may still succeed (an agent on this very machine).
    'went-offline': ['.',          '.',          '.',          '.',         'offline',    '.',          '.',          '.',          '.',      '.'],
    'came-online':  ['.',          '.',          '.',          '.',         '.',          'waiting',    '.',          '.',          '.',      '.'],
    finished:       ['.',          'closed',     'closed',     'closed',    'closed',     'closed',     'closed',     '.',          '.',      '.'],
    failed:         ['failed',     'failed',     'failed',     'failed',    'failed',     'failed',     'failed',     '.',          '.',      '.'],
    // A failed run can be resumed, until the user stops it.
    stopped:        ['stopped',    'stopped',    'stopped',    'stopped',   'stopped',    'stopped',    'stopped',    'stopped',    '.',      '.'],
    disconnected:   ['paused',     'paused',     'paused',     'paused',    'paused',     'paused',     '.',          '.',          '.',      '.'],
    // A failed run can be resumed: the cursors are still there.
    resumed:        ['.',          '.',          '.',          '.',         '.',          '.',          'connecting', 'connecting', '.',      '.'],
    // At the start too: the server asked another page or tab to wait, and this one continues its run.
    deferred:       ['waiting',    '.',          '.',          '.',         '.',          '.',          'waiting',    'waiting',    '.',      '.'],
  },
)

/** The connection before anything was sent. */
export function idleConnection(maxAttempts: number, hasOpened = false): Connection {
  return { phase: 'idle', attempt: 0, maxAttempts, connections: 0, requests: 0, hasOpened }
}

/** Whether new content changes nothing: it only forgets failures. */
function isSteady({ phase, requests, error }: Connection): boolean {
  return phase === 'streaming' && requests === 0 && error === undefined
}

/** The connection after `input`: a new value when something changed, the same one when nothing did. Pure. */
export function next(connection: Connection, input: Input): Connection {
  // Content comes with every chunk and nearly never changes anything.
  if (input.type === 'progressed' && isSteady(connection)) return connection
  const { phase: from, nextRetryAt: _, error, ...counts } = connection
  const phase = CONNECTION_TRANSITIONS[from][input.type]
  if (phase === from && phase !== 'streaming' && phase !== 'waiting') return connection
  switch (phase) {
    case 'connecting':
      // From `queued` the same attempt continues.
      if (from === 'queued') return { ...counts, phase, error }
      if (input.type === 'resumed')
        return { ...counts, phase, attempt: 0, connections: counts.connections + 1, requests: 1, error: undefined }
      return { ...counts, phase, error, connections: counts.connections + 1, requests: counts.requests + 1 }
    case 'streaming':
      if (input.type === 'progressed' && (counts.requests > 0 || error !== undefined))
        return { ...counts, phase, attempt: 0, requests: 0, hasOpened: true, error: undefined }
      return from === phase ? connection : { ...counts, phase, error, hasOpened: true }
    case 'waiting':
      return wait(connection, input)
    case 'failed':
      return input.type === phase ? { ...counts, phase, error: input.error } : connection
    case 'closed':
      return { ...counts, phase, attempt: 0 }
    case 'idle':
    case 'stopped':
      return { ...counts, phase }
    case 'queued':
    case 'offline':
    case 'paused':
      return { ...counts, phase, error }
  }
}

function wait(connection: Connection, input: Input): Connection {
  const { phase: from, nextRetryAt = 0, error, ...counts } = connection
  const phase = 'waiting'
  // Already waiting: the end of the old connection is not a second failure, and the later deadline holds.
  if (from === phase)
    return input.type === 'interrupted' && input.nextRetryAt > nextRetryAt
      ? { ...counts, phase, nextRetryAt: input.nextRetryAt, error: input.error }
      : connection
  switch (input.type) {
    case 'interrupted':
    case 'dropped':
      return { ...counts, phase, attempt: counts.attempt + 1, nextRetryAt: input.nextRetryAt, error: input.error }
    case 'deferred':
      return { ...counts, phase, attempt: 0, requests: 0, nextRetryAt: input.nextRetryAt, error: undefined }
    case 'came-online':
      return { ...counts, phase, nextRetryAt: input.nextRetryAt, error }
    default:
      return connection
  }
}

/** Whether the run has ended, for good or until someone resumes it. */
export function hasEnded(phase: Phase): boolean {
  return phase === 'closed' || phase === 'failed' || phase === 'stopped'
}

/**
 * Whether the agent itself has ended the run. A failure does not show it: a server or proxy can end the stream of an agent that still
 * works, so the server is asked.
 */
export function isEndedByAgent({ phase }: Connection): boolean {
  return phase === 'closed'
}

/** The response ended cleanly and the run did not. */
export const TRUNCATED = {
  kind: 'connection',
  code: 'truncated',
  severity: 'TRANSIENT',
  message: 'The connection ended before the agent had finished, so the answer is not complete.',
} as const

export const SILENT = {
  kind: 'connection',
  code: 'timeout',
  severity: 'TRANSIENT',
  message: 'No data came from the agent for too long: the connection is lost.',
} as const

export const SLEPT = {
  kind: 'connection',
  code: 'timeout',
  severity: 'TRANSIENT',
  message: 'This device was asleep, so the connection is resumed.',
} as const

export const BROKEN = {
  kind: 'runtime',
  code: 'app_error',
  severity: 'FATAL',
  message: 'The protocol adapter threw an unexpected error (see cause).',
} as const

export const UNCONFIRMED = {
  kind: 'connection',
  code: 'timeout',
  severity: 'TRANSIENT',
  message: 'The agent did not confirm in time, so it is not known whether this arrived.',
} as const
