import type { AgentEvent } from '../seam/agent-event.ts'
import { noop } from '../base/noop.ts'
import type { Delivery } from '../seam/protocol.ts'
import type { AgentClient } from './agent-client.ts'
import type { Connection } from './connection.ts'
import { hasEnded } from './connection-state.ts'
import type { ResumePoint } from './resume-point.ts'
import { createResumePoint } from './resume-point.ts'
import type { Session } from './session.ts'
import { createSession } from './session.ts'
import type { SessionOptions } from './session-options.ts'
import type { SharedRun } from './shared-run.ts'
import { createSharedRun } from './shared-run.ts'

/** What a message of the connection means for one run. */
export interface Dealt<Message> {
  readonly requestId: string
  readonly delivery: Delivery<Message>
}

/** A run that is about to be begun. */
export interface PreparedRun {
  readonly requestId: string
  readonly request: unknown
  /** What was remembered of it. */
  readonly resumePoint: ResumePoint
}

export interface SharedSessionOptions<Request, Message> {
  /**
   * Opens the connection and sends its commands. Its messages come as the source of deliveries without a cursor, so that the
   * connection is never at its end; only a call, `run-finished` or a failure ends it.
   */
  readonly client: AgentClient<Request, Message>
  /** The request that opens the connection. */
  readonly request: Request
  readonly requestId: string
  /** What a message means, by run. Called once for each message that is taken, in order. */
  deal(message: Message): readonly Dealt<Message>[]
  /** Called before a run is begun on a connection, the first and each later time; gives what the protocol remembers of it. */
  prepare(run: PreparedRun): unknown
  /** What the protocol remembers of a run, for its resume point. */
  handleOf(requestId: string): unknown
  /** Called when a run uses the connection no longer. */
  onLeft(requestId: string): void
  /** Called with the state of the connection. */
  onConnection(connection: Connection): void
  /** Called before the connection is closed because nobody uses it. */
  onIdle(): void
  /** How long a connection that nobody uses stays open, in milliseconds. */
  readonly idleMs: number
}

/** One session for the connection, and many runs on it. */
export interface SharedSession<Message> {
  readonly connection: Connection
  /** A run on the connection, as a session of its own. Its messages are those that `deal` names it for. */
  open<Request>(options: SessionOptions<Request, Message>): Session
  /** Keeps the connection open, and opens it when it is closed, until the returned function is called. Idempotent. */
  hold(): () => void
  /** Opens a connection that failed or waits at once. */
  retryNow(): void
  /** Closes the connection; runs that have not ended are left and can be resumed. */
  close(): void
}

/**
 * Carries many runs over one connection, whose retries are those of one session: a cut connection is mended once, whoever uses it. A
 * run is begun again under the same id on each new connection until the agent has named it. The connection opens when somebody uses
 * it, and closes when nobody has used it for a while.
 */
export function createSharedSession<Request, Message>(
  options: SharedSessionOptions<Request, Message>,
): SharedSession<Message> {
  const { client, idleMs, requestId } = options
  const { clock } = client.environment
  const runs = new Map<string, SharedRun<Message>>()
  let holds = 0
  let cancelIdle = noop

  const session = createSession<Request, Message>({
    client,
    request: options.request,
    requestId,
    resumePoint: createResumePoint(),
    onEvents(events) {
      const touched = new Map<string, Delivery<Message>[]>()
      let last: Message | undefined
      for (const { event, source } of events) {
        if (event.type === 'warning') warn(event)
        // A packet that means several things comes with each of them.
        if (source === undefined || source === last) continue
        last = source
        for (const { requestId: id, delivery } of options.deal(source)) {
          const deliveries = touched.get(id)
          if (deliveries === undefined) touched.set(id, [delivery])
          else deliveries.push(delivery)
        }
      }
      for (const [requestId, deliveries] of touched) runs.get(requestId)?.take(deliveries, options.handleOf(requestId))
    },
    onConnection(connection) {
      options.onConnection(connection)
      for (const run of runs.values()) run.follow(connection)
    },
    onEnded(ending) {
      const error = ending.type === 'failed' ? ending.error : undefined
      for (const run of runs.values()) run.fail(error ?? client.protocol.createError(CLOSED))
    },
  })

  /** What cannot be read may belong to any of them. */
  function warn(event: AgentEvent): void {
    for (const run of runs.values()) run.take([{ event, progress: false }])
  }

  /** Somebody uses the connection from now on: it is opened. */
  function used(): void {
    const { phase } = session.connection
    cancelIdle()
    cancelIdle = noop
    if (phase === 'idle') session.start()
    else if (phase === 'paused' || phase === 'failed') session.resume()
  }

  /** Somebody uses it no longer: those who are left do not open it again. Nobody does: it is closed after a while. */
  function unused(): void {
    const { phase } = session.connection
    if (runs.size + holds > 0 || phase === 'idle' || phase === 'paused' || hasEnded(phase) || cancelIdle !== noop)
      return
    cancelIdle = clock.after(idleMs, () => {
      cancelIdle = noop
      leave()
    })
  }

  function leave(): void {
    cancelIdle()
    cancelIdle = noop
    options.onIdle()
    session.disconnect()
  }

  return {
    get connection() {
      return session.connection
    },
    open(runOptions) {
      const { request, requestId: id, resumePoint = createResumePoint() } = runOptions
      const run: SharedRun<Message> = createSharedRun({
        ...runOptions,
        resumePoint,
        prepare: () => options.prepare({ requestId: id, request, resumePoint }),
        connection: () => session.connection,
        retryNow: session.retryNow,
        onJoin() {
          runs.set(id, run)
          used()
        },
        onLeave() {
          // Another session may have resumed the run.
          if (runs.get(id) === run) {
            runs.delete(id)
            options.onLeft(id)
          }
          unused()
        },
      })
      return run.session
    },
    hold() {
      let isHeld = true
      holds += 1
      used()
      return () => {
        if (!isHeld) return
        isHeld = false
        holds -= 1
        unused()
      }
    },
    retryNow: session.retryNow,
    close() {
      for (const run of [...runs.values()]) run.session.disconnect()
      leave()
    },
  }
}

const CLOSED = {
  kind: 'connection',
  code: 'network_error',
  severity: 'TRANSIENT',
  message: 'The connection that this run was on is closed.',
} as const
