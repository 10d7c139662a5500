import type { AgentError, AgentErrorInit } from '../base/agent-error.ts'
import { isAgentError } from '../base/agent-error.ts'
import type { RunOutcome } from '../seam/agent-event.ts'
import type { CommandResult } from '../seam/command.ts'
import type { Delivery } from '../seam/protocol.ts'
import { createAnswerCount } from './answer-limits.ts'
import type { StopResult } from './cancel-run.ts'
import { cancelRun } from './cancel-run.ts'
import { BROKEN } from './connection-errors.ts'
import type { Input } from './connection-state.ts'
import { hasEnded, idleConnection, isEndedByAgent, next } from './connection-state.ts'
import type { Connection } from './connection.ts'
import { createResumePoint } from './resume-point.ts'
import { sendCommand } from './send-command.ts'
import type { Session } from './session.ts'
import type { SessionOptions } from './session-options.ts'
import { createStreamLedger } from './stream-ledger.ts'
import type { TakenPart } from './take-batch.ts'
import { takeBatch } from './take-batch.ts'

/** A run on a shared connection: a session to whoever began it, a receiver to the connection. */
export interface SharedRun<Message> {
  readonly session: Session
  /** What came for the run, and what is remembered of it then. */
  take(deliveries: readonly Delivery<Message>[], handle?: unknown): void
  /** The connection has another state. */
  follow(connection: Connection): void
  /** The connection has ended, and the run with it. */
  fail(error: AgentError): void
}

export interface SharedRunOptions<Request, Message> extends SessionOptions<Request, Message> {
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
export function createSharedRun<Request, Message>(options: SharedRunOptions<Request, Message>): SharedRun<Message> {
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
  let outcome: RunOutcome | undefined
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
    else options.onEnded(value.phase === 'closed' ? { type: 'finished', response, outcome } : { type: 'stopped' })
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
    // Opening the connection may have told the run already.
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
      // What came since the run was resumed.
      if (waiting.length > 0) void drain()
    }
  }

  function conclude({ finished, tooLarge, ...part }: TakenPart<Message>): void {
    if (tooLarge !== undefined) return fail(protocol.createError(tooLarge))
    outcome = part.outcome ?? outcome
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
