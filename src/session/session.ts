import type { AgentError } from '../base/agent-error.ts'
import { errorInit, isAgentError } from '../base/agent-error.ts'
import type { ConnectionSlots } from '../base/connection-slots.ts'
import type { AgentProtocol } from '../protocols/protocol.ts'
import type { AgentClient } from './agent-client.ts'
import type { Connection } from './connection.ts'
import type { Input } from './connection-state.ts'
import { hasEnded, idleConnection, next } from './connection-state.ts'
import { createAnswerCount } from './answer-limits.ts'
import type { ResumePoint } from './resume-point.ts'
import { createResumePoint } from './resume-point.ts'
import { clampWait } from '../base/backoff.ts'
import { createRateLimiter } from './rate-limiter.ts'
import type { Silence } from './stall-detector.ts'
import { createStallDetector } from './stall-detector.ts'
import { BROKEN, SILENT, SLEPT, TRUNCATED } from './connection-errors.ts'
import { createStreamLedger } from './stream-ledger.ts'
import type { SessionEvent, TakenPart } from './take-batch.ts'
import { takeBatch } from './take-batch.ts'

/** How a run ended. There is no fourth way. */
export type Ending =
  | { readonly type: 'finished'; readonly response?: unknown }
  | { readonly type: 'failed'; readonly error: AgentError }
  | { readonly type: 'stopped' }

export interface SessionOptions<Request, Source> {
  readonly client: AgentClient<Request, Source>
  readonly request: Request
  readonly requestId: string
  /** Written to while the run is read; another session's, to go on where it stood. What was handed to `onEvents` counts as read. */
  readonly resumePoint?: ResumePoint | undefined
  /** New events, one call per network chunk, and one more after each packet in it that decides what becomes of the run. A promise holds the line back until it settles. */
  onEvents(events: readonly SessionEvent<Source>[]): void | Promise<void>
  onConnection?(connection: Connection): void
  /** Called once per ending; a failed run that is resumed may end again. */
  onEnded(ending: Ending): void
}

/** One run over as many lines as it takes. Every verb is idempotent; nothing is delivered after one has returned. */
export interface Session {
  readonly connection: Connection
  start(): void
  /** Ends the run; resolves when the agent has been told, where the protocol can. */
  stop(): Promise<void>
  /** Leaves the line and keeps the cursors. */
  disconnect(): void
  /** Goes on where the connection was left or given up, once the wait that the server asked for is over. */
  resume(): void
  /** Does not wait for the next attempt. */
  retryNow(): void
}

/** With several streams a late one may still follow the last CLOSE. */
const CLOSE_GRACE_MS = 250
/** After `online` every client of a place comes back: spread them over this second. */
const ONLINE_SPREAD_MS = 1000
const CANCEL_PATIENCE_MS = 5000
/** Wait before an attempt that the page's budget does not cover: this long, or up to half longer. */
const UNCOVERED_WAIT_MS = 20_000

/**
 * The thin driver of {@link next}: opens lines, arms timers, passes on what is new. All decisions about
 * phases are in connection-state.ts, all about duplicates in stream-ledger.ts.
 */
export function createSession<Request, Source>(options: SessionOptions<Request, Source>): Session {
  const { client, request, requestId, onEvents, resumePoint = createResumePoint() } = options
  const { protocol, retry, timeoutMs, environment, budget } = client
  const { clock, random, online, visibility } = environment
  const ledger = createStreamLedger(resumePoint.streams, protocol.firstSeq)
  const count = createAnswerCount(resumePoint, client.limits)
  const limiter = createRateLimiter(clock.now())
  const watch = createStallDetector({ clock, visibility, timeoutMs, onLost: lineLost })
  let connection = idleConnection(retry.maxAttempts, ledger.size > 0)
  let line: AbortController | undefined
  let response: unknown
  /** When the wait that the server asked for is over, on the monotonic clock: nothing but a person's request shortens it. */
  let notBefore = clock.now() + clampWait((resumePoint.notBefore ?? 0) - clock.date())
  let cancelWait = noop
  let cancelGrace = noop
  let stopListening = noop

  function apply(input: Input): void {
    const before = connection
    const after = next(before, input)
    if (after === before) return
    connection = after
    enter(before, input)
    // If an effect or the observer re-entered apply(), that call has already notified: do not notify with a stale value.
    if (connection === after) options.onConnection?.(after)
    if (connection === after && hasEnded(after.phase) && !hasEnded(before.phase)) options.onEnded(ending())
  }

  function ending(): Ending {
    if (connection.phase === 'closed') return { type: 'finished', response }
    if (connection.phase === 'failed') return { type: 'failed', error: connection.error }
    return { type: 'stopped' }
  }

  /** The effects a phase stands for: what runs while the line is in it, and nothing else. */
  function enter(before: Connection, input: Input): void {
    const { phase } = connection
    cancelWait()
    cancelWait = noop
    const keepsLine = phase === 'streaming' || input.type === 'held' || input.type === 'admitted' || (phase === 'waiting' && input.type !== 'dropped')
    if (!keepsLine) closeLine()
    if (connection.phase === 'waiting') cancelWait = clock.after(Math.max(0, connection.nextRetryAt - clock.now()), () => apply({ type: 'due' }))
    if (phase === 'paused' || hasEnded(phase)) {
      stopListening()
      stopListening = noop
    } else if (before.phase === 'idle' || before.phase === 'paused' || hasEnded(before.phase)) {
      stopListening = online.subscribe(networkChanged)
    }
    // Last, for either may lead on to another phase at once.
    if (phase === 'connecting' && input.type !== 'admitted') openLine()
    if (phase === 'waiting') networkChanged()
  }

  function networkChanged(): void {
    if (!online.isOnline()) apply({ type: 'went-offline' })
    else if (connection.phase === 'offline') apply({ type: 'came-online', nextRetryAt: earliest(random() * ONLINE_SPREAD_MS) })
  }

  /** Clock time of the next attempt that nobody asks for: after `waitMs`, and never before the server allows it. */
  function earliest(waitMs: number): number {
    return limiter.earliest(Math.max(notBefore, clock.now() + waitMs))
  }

  function closeLine(): void {
    watch.pause()
    cancelGrace()
    cancelGrace = noop
    const left = line
    line = undefined
    left?.abort()
  }

  function openLine(): void {
    const own = new AbortController()
    line = own
    if (environment.slots === undefined) void readLine(own)
    else void queueLine(own, environment.slots)
  }

  /** Waits for a free connection, then opens the line; leaving the line gives the connection back. */
  async function queueLine(own: AbortController, slots: ConnectionSlots): Promise<void> {
    apply({ type: 'held' })
    const release = await slots.take(protocol.server ?? '', own.signal).catch(() => noop)
    if (own.signal.aborted) return release()
    own.signal.addEventListener('abort', release, { once: true })
    apply({ type: 'admitted' })
    await readLine(own)
    release()
  }

  async function readLine(own: AbortController): Promise<void> {
    const resumes = resumePoint.attempts > 0
    let firstOfResume = resumes
    let opened = false
    let succeeded = false
    // Only now: an attempt that was left while it waited for a free connection has not shortened the wait.
    notBefore = 0
    resumePoint.notBefore = undefined
    limiter.count(clock.now())
    watch.listen()
    try {
      const batches = protocol.open({ request, requestId, attempt: resumePoint.attempts++, cursors: ledger.cursors(), lastEventId: resumePoint.lastEventId, signal: own.signal })
      for await (const batch of batches) {
        if (line !== own) return
        watch.heard(batch.deliveries.length > 0 ? 'content' : batch.partial === true ? 'partial' : 'empty')
        if (!opened) apply({ type: 'opened' })
        opened = true
        for (const part of takeBatch(ledger, batch, firstOfResume, count)) {
          if (part.last) resumePoint.lastEventId = batch.lastEventId ?? resumePoint.lastEventId
          if (part.progressed && !succeeded) {
            succeeded = true
            budget?.earn()
          }
          if (part.events.length > 0) await handOver(part.events)
          if (line !== own) return
          conclude(part)
          if (line !== own) return
          watch.listen()
        }
        if (batch.deliveries.some((delivery) => delivery.cursor !== undefined)) firstOfResume = false
      }
      if (line === own) lineEnded()
    } catch (error) {
      if (line === own) lineFailed(error, !resumes && !opened)
    }
  }

  /** The consumer's time is not the agent's silence. */
  function handOver(events: readonly SessionEvent<Source>[]): void | Promise<void> {
    const busy = onEvents(events)
    if (busy !== undefined) watch.pause()
    return busy
  }

  /** What a part of a batch means for the line, once its events have been passed on. */
  function conclude({ progressed, finished, interruption, tooLarge }: TakenPart<Source>): void {
    if (tooLarge !== undefined) return apply({ type: 'failed', error: protocol.createError(tooLarge) })
    if (finished !== undefined) response = finished.response
    if (progressed) apply({ type: 'progressed' })
    if (finished !== undefined) apply({ type: 'finished' })
    else if (ledger.hasSettled) streamsEnded()
    else {
      cancelGrace()
      cancelGrace = noop
      if (interruption !== undefined) tryAgain('interrupted', interruption)
    }
  }

  function streamsEnded(): void {
    if (ledger.failure !== undefined) apply({ type: 'failed', error: ledger.failure })
    else if (ledger.size === 1) apply({ type: 'finished' })
    else if (cancelGrace === noop) cancelGrace = clock.after(CLOSE_GRACE_MS, () => apply({ type: 'finished' }))
  }

  function lineEnded(): void {
    if (ledger.hasSettled) apply({ type: 'finished' })
    else tryAgain('dropped', protocol.createError(TRUNCATED))
  }

  function lineFailed(cause: unknown, firstAttempt: boolean): void {
    if (ledger.hasSettled) return apply({ type: 'finished' })
    const error = isAgentError(cause) ? cause : protocol.createError({ ...BROKEN, cause })
    const refused = firstAttempt && error.status !== undefined && retry.retryHttp !== true
    if (error.severity === 'TRANSIENT' && !refused) return tryAgain('dropped', error)
    // Whoever takes the run up once more has to wait as well.
    heed(error)
    apply({ type: 'failed', error })
  }

  function lineLost(silence: Silence): void {
    if (silence === 'slept') tryAgain('dropped', protocol.createError(SLEPT), 0)
    else tryAgain('dropped', protocol.createError({ ...SILENT, details: { timeoutMs } }))
  }

  /** Writes down how long the server asked to wait, in milliseconds. */
  function heed({ retryAfterMs = 0 }: AgentError): number {
    const asked = clampWait(retryAfterMs)
    if (asked > 0 && clock.now() + asked > notBefore) {
      notBefore = clock.now() + asked
      resumePoint.notBefore = clock.date() + asked
    }
    return asked
  }

  /** Another attempt, if the policy has one left. */
  function tryAgain(type: 'interrupted' | 'dropped', error: AgentError, waitMs?: number): void {
    const attempt = connection.attempt + 1
    const asked = heed(error)
    if (ledger.size > 0 && protocol.canResume?.(ledger.cursors()) === false) {
      // Another attempt would say everything again under no number: it could only double the text.
      return apply({ type: 'failed', error: protocol.createError({ ...errorInit(error), severity: 'FATAL' }) })
    }
    if (connection.phase !== 'connecting' && connection.phase !== 'streaming') {
      // Already waiting: only a longer wish of the server changes the plan. A connection that ended or fell silent is not kept for the rest of the wait.
      if (type === 'dropped') closeLine()
      return apply({ type, error, nextRetryAt: earliest(retry.delayMs(attempt, error, 0)) })
    }
    if (attempt > retry.maxAttempts) return apply({ type: 'failed', error })
    const covered = budget === undefined || budget.spend()
    const wait = covered ? (waitMs ?? retry.delayMs(attempt, error, random())) : asked + UNCOVERED_WAIT_MS * (1 + random() / 2)
    apply({ type, error, nextRetryAt: earliest(wait) })
  }

  return {
    get connection() {
      return connection
    },
    start: () => apply(notBefore > clock.now() ? { type: 'deferred', nextRetryAt: earliest(0) } : { type: 'started' }),
    async stop() {
      const running = !hasEnded(connection.phase) && connection.phase !== 'idle'
      apply({ type: 'stopped' })
      if (running && protocol.act !== undefined) await tellAgent(protocol.act.bind(protocol))
    },
    disconnect: () => apply({ type: 'disconnected' }),
    resume() {
      apply(notBefore <= clock.now() && limiter.canRetryNow(clock.now()) ? { type: 'resumed' } : { type: 'deferred', nextRetryAt: earliest(0) })
    },
    retryNow() {
      if ((connection.phase === 'waiting' || connection.phase === 'offline') && limiter.canRetryNow(clock.now())) apply({ type: 'retried' })
    },
  }

  async function tellAgent(act: NonNullable<AgentProtocol<Request>['act']>): Promise<void> {
    const patience = new AbortController()
    const cancel = clock.after(CANCEL_PATIENCE_MS, () => patience.abort())
    // The run is over for the person whether or not the agent hears of it.
    await act({ type: 'cancel', requestId }, { signal: patience.signal }).catch(noop)
    cancel()
  }
}

function noop(): void {}
