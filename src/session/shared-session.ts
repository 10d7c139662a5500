import type { AgentEvent } from '../seam/agent-event.ts'
import { noop } from '../base/noop.ts'
import type { Delivery } from '../seam/protocol.ts'
import type { AgentClient, Session, SessionOptions, StopResult } from './agent-client.ts'
import { type Connection, hasEnded, idleConnection, isEndedByAgent, next, type Input, BROKEN } from './connection.ts'
import type { ResumePoint } from './resume-point.ts'
import { createResumePoint } from './resume-point.ts'
import { createSession } from './session.ts'
import type { AgentError, AgentErrorInit } from '../base/agent-error.ts'
import { isAgentError } from '../base/agent-error.ts'
import type { CommandResult } from '../seam/command.ts'
import { createAnswerCount, createStreamLedger, type TakenPart, takeBatch } from './stream-ledger.ts'
import { cancelRun, sendCommand } from './send-command.ts'

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
  /** A run on the connection, as its own session. Its messages are those that `deal` names it for. */
  open<Request>(options: SessionOptions<Request, Message>): Session
  /** Keeps the connection open, and opens it when it is closed, until the returned function is called. Idempotent. */
  hold(): () => void
  /** Opens a connection that failed or waits at once. */
  retryNow(): void
  /** Closes the connection; runs that have not ended are left and can be resumed. */
  close(): void
}

/**
 * Carries many runs over one connection, whose retries are those of one session: a broken connection is restored once for all runs. A
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

/** A run on a shared connection: a session for its caller, a receiver for the connection. */
interface SharedRun<Message> {
  readonly session: Session
  /** Packets received for the run, and the resume position after them. */
  take(deliveries: readonly Delivery<Message>[], handle?: unknown): void
  /** The connection has another state. */
  follow(connection: Connection): void
  /** The connection has ended, and the run with it. */
  fail(error: AgentError): void
}

interface SharedRunOptions<Request, Message> extends SessionOptions<Request, Message> {
  /** Called before the run is begun on a connection: gives what is remembered of it. @throws AgentError when it cannot be begun */
  prepare(): unknown
  /** The state of the connection now. */
  connection(): Connection
  retryNow(): void
  /** The run uses the connection from now on. */
  onJoin(): void
  /** The run uses it no longer. */
  onLeave(): void
}

/** Deliveries that wait for a consumer who is busy; beyond it the run fails, because the others on the connection cannot wait for it. */
const MAX_WAITING = 100_000

interface Waiting<Message> {
  readonly deliveries: readonly Delivery<Message>[]
  readonly handle: unknown
}

/** Drives one run on a shared connection: begins it on each new one until the agent has named it, and passes on what is its own. */
function createSharedRun<Request, Message>(options: SharedRunOptions<Request, Message>): SharedRun<Message> {
  const { client, request, requestId, resumePoint = createResumePoint() } = options
  const { protocol, retry } = client
  const ledger = createStreamLedger(resumePoint.streams, protocol.firstSeq)
  const count = createAnswerCount(resumePoint, client.limits)
  let connection = idleConnection(retry.maxAttempts, ledger.size > 0)
  let isJoined = false
  /** The agent has named the run: it need not be begun again. */
  let isBegun = false
  let beginning: AbortController | undefined
  let cancelling: Promise<StopResult> | undefined
  let response: unknown
  let waiting: Waiting<Message>[] = []
  let isBusy = false
  /** Counts how often the run was left: what was passed on before means nothing any more. */
  let leaves = 0

  function show(value: Connection): void {
    if (value === connection) return
    const before = connection
    connection = value
    options.onConnection?.(value)
    if (connection !== value || !hasEnded(value.phase) || hasEnded(before.phase)) return
    if (value.phase === 'failed') options.onEnded({ type: 'failed', error: value.error })
    else
      options.onEnded(
        value.phase === 'closed' ? { type: 'finished', response, outcome: resumePoint.outcome } : { type: 'stopped' },
      )
  }

  /** Ends or leaves the run, by the table that holds for every run. */
  function leave(input: Extract<Input, { type: 'finished' | 'failed' | 'stopped' | 'disconnected' }>): void {
    const wasJoined = isJoined
    isJoined = false
    isBegun = false
    leaves += 1
    waiting = []
    stopBeginning()
    show(next(connection, input))
    if (wasJoined) options.onLeave()
  }

  function join(): void {
    if (isJoined) return
    isJoined = true
    options.onJoin()
    // Opening the connection may have notified the run already.
    if (isJoined) follow(options.connection())
  }

  function follow(shared: Connection): void {
    if (!isJoined || hasEnded(shared.phase) || shared.phase === 'idle' || shared.phase === 'paused') return
    const hasOpened = isBegun || ledger.size > 0
    // Until the agent has named the run, its own answer is still to come.
    const shown = shared.phase === 'streaming' && !isBegun ? { ...shared, phase: 'connecting' as const } : shared
    if (shared.phase !== 'streaming') stopBeginning()
    show({ ...shown, hasOpened })
    if (isJoined && shared.phase === 'streaming' && !isBegun && beginning === undefined) void begin()
  }

  function stopBeginning(): void {
    const left = beginning
    beginning = undefined
    left?.abort()
  }

  async function begin(): Promise<void> {
    const own = new AbortController()
    beginning = own
    try {
      const handle = options.prepare()
      resumePoint.handle = handle
      resumePoint.attempts += 1
      const told = await sendCommand(client, { type: 'begin', requestId, request, handle }, own.signal)
      if (beginning !== own) return
      if (told.result === 'accepted') return hasBegun()
      fail(protocol.createError(refusal(told)))
    } catch (cause) {
      // A connection that broke is followed by another, on which the run is begun again.
      if (beginning !== own) return
      fail(isAgentError(cause) ? cause : protocol.createError({ ...BROKEN, cause }))
    }
  }

  function hasBegun(): void {
    if (isBegun) return
    isBegun = true
    stopBeginning()
    follow(options.connection())
  }

  function fail(error: AgentError): void {
    if (isJoined) leave({ type: 'failed', error })
  }

  async function drain(): Promise<void> {
    isBusy = true
    const before = leaves
    try {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        for (const part of takeBatch(ledger, { deliveries: one.deliveries }, false, count)) {
          if (part.last) resumePoint.handle = one.handle ?? resumePoint.handle
          resumePoint.outcome = part.outcome ?? resumePoint.outcome
          if (part.events.length > 0) {
            const busy = options.onEvents(part.events)
            if (busy !== undefined) await busy
          }
          if (leaves !== before) return
          conclude(part)
          if (leaves !== before) return
        }
      }
    } finally {
      isBusy = false
      // Packets received since the run was resumed.
      if (waiting.length > 0) void drain()
    }
  }

  function conclude({ finished, tooLarge }: TakenPart<Message>): void {
    if (tooLarge !== undefined) return fail(protocol.createError(tooLarge))
    if (finished !== undefined) {
      response = finished.response
      return leave({ type: 'finished' })
    }
    if (!ledger.hasSettled) return
    if (ledger.failure !== undefined) fail(ledger.failure)
    else leave({ type: 'finished' })
  }

  return {
    follow,
    fail,
    take(deliveries, handle) {
      if (!isJoined) return
      if (
        deliveries.some(({ event, events }) => [...(events ?? []), event].some((each) => each?.type === 'run-started'))
      )
        hasBegun()
      if (waiting.length >= MAX_WAITING) return fail(protocol.createError(TOO_SLOW))
      waiting.push({ deliveries, handle })
      if (!isBusy) void drain()
    },
    session: {
      get connection() {
        return connection
      },
      start() {
        if (connection.phase === 'idle') join()
      },
      async stop(): Promise<StopResult> {
        if (isEndedByAgent(connection)) return 'cancelled'
        leave({ type: 'stopped' })
        return (cancelling ??= cancelRun(client, requestId, resumePoint))
      },
      disconnect: () => leave({ type: 'disconnected' }),
      resume() {
        if (connection.phase === 'paused' || connection.phase === 'failed') join()
      },
      retryNow: options.retryNow,
    },
  }
}

const TOO_SLOW = {
  kind: 'protocol',
  code: 'response_too_large',
  severity: 'TRANSIENT',
  message: `More than ${MAX_WAITING} messages came for this run before they were read.`,
} as const

/** Why a run was not begun. */
function refusal(told: Exclude<CommandResult, { result: 'accepted' }>): AgentErrorInit {
  const why = told.result === 'invalid' ? told.errors.map(({ path, message }) => `${path} ${message}`).join(', ') : ''
  return {
    kind: 'protocol',
    code: 'invalid_request',
    severity: 'FATAL',
    message: `The agent did not begin the run: ${why === '' ? told.result : why}.`,
  }
}
