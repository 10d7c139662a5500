import { onAbort } from '../../base/on-abort.ts'
import { createArcpError, toArcpError } from './errors.ts'
import type { ArcpMessage } from './read/message.ts'
import type { ArcpCapabilities } from './schema/session.ts'
import type { ArcpOutgoing } from './write-message.ts'

/** A connection whose session was accepted. */
export interface ActiveSession {
  readonly sessionId: string
  readonly capabilities: ArcpCapabilities
  /** A job may be invoked with bounds. */
  readonly takesBounds: boolean
  /** Sends a message, with the id of the session unless it has another. @throws AgentError when the connection is gone */
  send(message: ArcpOutgoing): void
  /** Resolves when the sessions before this one were resumed: what they had to say has come. */
  readonly resumed: Promise<void>
  /** The sessions that this connection follows: its own, and those that it has resumed. */
  readonly followed: Set<string>
  /** Aborts when the connection is gone. */
  readonly ended: AbortSignal
}

/** What joins commands, which come at any time, to the open connection, if one is open. */
export interface ArcpLink {
  readonly active: ActiveSession | undefined
  /** A connection is open from now on. */
  activate(active: ActiveSession): void
  /** The connection that is open; waits for one. @throws AgentError when the signal aborts before */
  ready(signal: AbortSignal): Promise<ActiveSession>
  /** No connection will follow: callers that wait for one, or for a reply, are rejected. */
  fail(error: Error): void
  /** Tells those who wait for an answer. */
  hear(message: ArcpMessage): void
  /**
   * Sends messages and waits for the first message of which `match` makes something.
   * @throws AgentError TRANSIENT when the connection goes or the signal aborts before; what `match` throws
   */
  ask<Answer>(
    active: ActiveSession,
    messages: readonly ArcpOutgoing[],
    match: (message: ArcpMessage) => Answer | undefined,
    signal: AbortSignal,
  ): Promise<Answer>
}

const LOST = {
  kind: 'connection',
  code: 'network_error',
  severity: 'TRANSIENT',
  message: 'The connection was lost before the agent answered.',
} as const

export function createArcpLink(): ArcpLink {
  let active: ActiveSession | undefined
  const listeners = new Set<(message: ArcpMessage) => void>()
  const waiting = new Set<(found: ActiveSession | Error) => void>()
  const asking = new Set<(error: Error) => void>()

  return {
    get active() {
      return active
    },
    activate(next) {
      active = next
      onAbort(next.ended, () => {
        if (active === next) active = undefined
      })
      for (const wake of [...waiting]) wake(next)
    },
    ready(signal) {
      if (active !== undefined) return Promise.resolve(active)
      return new Promise((resolve, reject) => {
        const wake = (found: ActiveSession | Error): void => {
          waiting.delete(wake)
          release()
          if (found instanceof Error) reject(found)
          else resolve(found)
        }
        const release = onAbort(signal, () => {
          waiting.delete(wake)
          reject(createArcpError(LOST))
        })
        if (!signal.aborted) waiting.add(wake)
      })
    },
    fail(error) {
      for (const wake of [...waiting, ...asking]) wake(error)
    },
    hear(message) {
      if (!isAnswer(message)) return
      for (const listener of [...listeners]) listener(message)
    },
    ask(own, messages, match, signal) {
      return new Promise((resolve, reject) => {
        const end = (): void => {
          listeners.delete(listen)
          asking.delete(fail)
          releaseSignal()
          releaseEnded()
        }
        const listen = (message: ArcpMessage): void => {
          try {
            const answer = match(message)
            if (answer === undefined) return
            end()
            resolve(answer)
          } catch (error) {
            end()
            reject(toArcpError(error))
          }
        }
        const fail = (error: Error): void => {
          listeners.delete(listen)
          asking.delete(fail)
          reject(error)
        }
        const lose = (): void => fail(createArcpError(LOST))
        const releaseSignal = onAbort(signal, lose)
        const releaseEnded = onAbort(own.ended, lose)
        if (signal.aborted || own.ended.aborted) return
        listeners.add(listen)
        asking.add(fail)
        try {
          for (const message of messages) own.send(message)
        } catch (error) {
          end()
          reject(toArcpError(error))
        }
      })
    },
  }
}

/** Types that answer without a correlation, with some runtimes. */
const ANSWERS: ReadonlySet<ArcpMessage['type']> = new Set<ArcpMessage['type']>([
  'nack',
  'ack',
  'pong',
  'job.accepted',
  'cancel.accepted',
  'lease.revoked',
  'cancel.refused',
  'job.cancelled',
  'job.completed',
  'job.failed',
  'tool.result',
  'tool.error',
  'lease.extended',
  'subscribe.closed',
])

/** Whether a message may be what somebody waits for: most are not, and many may wait. */
function isAnswer({ type, correlation_id: correlation }: ArcpMessage): boolean {
  return correlation !== undefined || ANSWERS.has(type)
}
