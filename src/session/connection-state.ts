import type { AgentError } from '../base/agent-error.ts'
import type { Connection, Phase } from './connection.ts'

/** All that can happen to a line. Times are passed in: nothing here reads a clock. */
export type Input =
  | { readonly type: 'started' }
  /** No connection is free: others hold them all. */
  | { readonly type: 'held' }
  /** A connection became free. */
  | { readonly type: 'admitted' }
  /** The agent answered: headers are here. */
  | { readonly type: 'opened' }
  /** New content arrived: the line works, the retry counter begins again. */
  | { readonly type: 'progressed' }
  /** A TRANSIENT error in the stream: go on reading, reconnect at `nextRetryAt`. */
  | { readonly type: 'interrupted'; readonly error: AgentError; readonly nextRetryAt: number }
  /** The line ended before the run did. */
  | { readonly type: 'dropped'; readonly error: AgentError; readonly nextRetryAt: number }
  /** The wait is over. */
  | { readonly type: 'due' }
  /** The person would not wait. */
  | { readonly type: 'hurried' }
  | { readonly type: 'went-offline' }
  | { readonly type: 'came-online'; readonly nextRetryAt: number }
  | { readonly type: 'finished' }
  /** A failure that no further attempt can mend, or one attempt too many. */
  | { readonly type: 'failed'; readonly error: AgentError }
  | { readonly type: 'stopped' }
  | { readonly type: 'disconnected' }
  | { readonly type: 'resumed' }
  /** Started or resumed, but not to be let out at once: the server asked to wait, or there were too many attempts of late. */
  | { readonly type: 'deferred'; readonly nextRetryAt: number }

/**
 * Every phase against every input: the whole behaviour of a line on one page. TypeScript forces each
 * cell to be decided. An input that leads where the line already is changes nothing, except where
 * {@link next} says otherwise.
 */
// oxfmt-ignore
export const TRANSITIONS: Readonly<Record<Phase, Readonly<Record<Input['type'], Phase>>>> = {
  idle: {
    started: 'connecting', held: 'idle', admitted: 'idle', opened: 'idle', progressed: 'idle', interrupted: 'idle', dropped: 'idle', due: 'idle', hurried: 'idle',
    // Deferred at the start: another page or tab was told to wait, and this one goes on from there.
    'went-offline': 'idle', 'came-online': 'idle', finished: 'idle', failed: 'failed', stopped: 'stopped', disconnected: 'paused', resumed: 'idle', deferred: 'waiting',
  },
  connecting: {
    // Offline is only a hint: an attempt under way may still succeed (an agent on this very machine).
    started: 'connecting', held: 'queued', admitted: 'connecting', opened: 'streaming', progressed: 'streaming', interrupted: 'waiting', dropped: 'waiting', due: 'connecting', hurried: 'connecting',
    'went-offline': 'connecting', 'came-online': 'connecting', finished: 'closed', failed: 'failed', stopped: 'stopped', disconnected: 'paused', resumed: 'connecting', deferred: 'connecting',
  },
  queued: {
    started: 'queued', held: 'queued', admitted: 'connecting', opened: 'queued', progressed: 'queued', interrupted: 'queued', dropped: 'queued', due: 'queued', hurried: 'queued',
    'went-offline': 'queued', 'came-online': 'queued', finished: 'closed', failed: 'failed', stopped: 'stopped', disconnected: 'paused', resumed: 'queued', deferred: 'queued',
  },
  streaming: {
    started: 'streaming', held: 'streaming', admitted: 'streaming', opened: 'streaming', progressed: 'streaming', interrupted: 'waiting', dropped: 'waiting', due: 'streaming', hurried: 'streaming',
    'went-offline': 'streaming', 'came-online': 'streaming', finished: 'closed', failed: 'failed', stopped: 'stopped', disconnected: 'paused', resumed: 'streaming', deferred: 'streaming',
  },
  waiting: {
    // After an interruption the old line may still speak: that is content, not a reason to change the plan.
    started: 'waiting', held: 'waiting', admitted: 'waiting', opened: 'waiting', progressed: 'waiting', interrupted: 'waiting', dropped: 'waiting', due: 'connecting', hurried: 'connecting',
    'went-offline': 'offline', 'came-online': 'waiting', finished: 'closed', failed: 'failed', stopped: 'stopped', disconnected: 'paused', resumed: 'waiting', deferred: 'waiting',
  },
  offline: {
    started: 'offline', held: 'offline', admitted: 'offline', opened: 'offline', progressed: 'offline', interrupted: 'offline', dropped: 'offline', due: 'offline', hurried: 'connecting',
    'went-offline': 'offline', 'came-online': 'waiting', finished: 'closed', failed: 'failed', stopped: 'stopped', disconnected: 'paused', resumed: 'offline', deferred: 'offline',
  },
  paused: {
    started: 'paused', held: 'paused', admitted: 'paused', opened: 'paused', progressed: 'paused', interrupted: 'paused', dropped: 'paused', due: 'paused', hurried: 'connecting',
    'went-offline': 'paused', 'came-online': 'paused', finished: 'closed', failed: 'failed', stopped: 'stopped', disconnected: 'paused', resumed: 'connecting', deferred: 'waiting',
  },
  failed: {
    // What the line could not finish may be taken up again: the cursors are still there.
    started: 'failed', held: 'failed', admitted: 'failed', opened: 'failed', progressed: 'failed', interrupted: 'failed', dropped: 'failed', due: 'failed', hurried: 'failed',
    'went-offline': 'failed', 'came-online': 'failed', finished: 'failed', failed: 'failed', stopped: 'failed', disconnected: 'failed', resumed: 'connecting', deferred: 'waiting',
  },
  closed: {
    started: 'closed', held: 'closed', admitted: 'closed', opened: 'closed', progressed: 'closed', interrupted: 'closed', dropped: 'closed', due: 'closed', hurried: 'closed',
    'went-offline': 'closed', 'came-online': 'closed', finished: 'closed', failed: 'closed', stopped: 'closed', disconnected: 'closed', resumed: 'closed', deferred: 'closed',
  },
  stopped: {
    started: 'stopped', held: 'stopped', admitted: 'stopped', opened: 'stopped', progressed: 'stopped', interrupted: 'stopped', dropped: 'stopped', due: 'stopped', hurried: 'stopped',
    'went-offline': 'stopped', 'came-online': 'stopped', finished: 'stopped', failed: 'stopped', stopped: 'stopped', disconnected: 'stopped', resumed: 'stopped', deferred: 'stopped',
  },
}

/** The line before anything was sent. */
export function idleConnection(maxAttempts: number, hasOpened = false): Connection {
  return { phase: 'idle', attempt: 0, maxAttempts, nextRetryAt: undefined, error: undefined, connections: 0, requests: 0, hasOpened }
}

/** The line after `input`: a new value when something changed, the same one when nothing did. Pure. */
export function next(connection: Connection, input: Input): Connection {
  const phase = TRANSITIONS[connection.phase][input.type]
  const from = connection.phase
  switch (phase) {
    case 'connecting':
      if (from === 'connecting') return connection
      // The same attempt goes on.
      if (from === 'queued') return { ...connection, phase }
      return {
        ...connection,
        phase,
        nextRetryAt: undefined,
        connections: connection.connections + 1,
        requests: connection.requests + 1,
        ...(input.type === 'resumed' ? { attempt: 0, requests: 1, error: undefined } : {}),
      }
    case 'streaming':
      if (input.type === 'progressed' && (connection.requests > 0 || connection.error !== undefined)) {
        return { ...connection, phase, attempt: 0, requests: 0, hasOpened: true, error: undefined }
      }
      return from === 'streaming' ? connection : { ...connection, phase, hasOpened: true }
    case 'waiting':
      return wait(connection, input)
    case 'failed':
      if (from === 'failed' || input.type !== 'failed') return connection
      return { ...connection, phase, nextRetryAt: undefined, error: input.error }
    case 'closed':
      return from === phase ? connection : { ...connection, phase, attempt: 0, nextRetryAt: undefined, error: undefined }
    case 'queued':
      return from === phase ? connection : { ...connection, phase }
    case 'offline':
    case 'paused':
    case 'stopped':
      return from === phase ? connection : { ...connection, phase, nextRetryAt: undefined }
    case 'idle':
      return connection
  }
}

function wait(connection: Connection, input: Input): Connection {
  if (input.type === 'interrupted' || input.type === 'dropped') {
    // Already waiting: the end of the old line is no second failure, and the later deadline holds.
    if (connection.phase === 'waiting') {
      if (input.type === 'dropped' || input.nextRetryAt <= (connection.nextRetryAt ?? 0)) return connection
      return { ...connection, nextRetryAt: input.nextRetryAt, error: input.error }
    }
    return { ...connection, phase: 'waiting', attempt: connection.attempt + 1, nextRetryAt: input.nextRetryAt, error: input.error }
  }
  if (input.type === 'deferred' && connection.phase !== 'waiting') {
    return { ...connection, phase: 'waiting', attempt: 0, requests: 0, nextRetryAt: input.nextRetryAt, error: undefined }
  }
  if (input.type === 'came-online' && connection.phase === 'offline') {
    return { ...connection, phase: 'waiting', nextRetryAt: input.nextRetryAt }
  }
  return connection
}

/** Whether the run is over, for good or until someone resumes it. */
export function hasEnded(phase: Phase): boolean {
  return phase === 'closed' || phase === 'failed' || phase === 'stopped'
}
