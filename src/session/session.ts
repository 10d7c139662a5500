import { type AgentError, errorInit, isAgentError } from '../base/agent-error.ts'
import { assertSettled } from '../base/assert-options.ts'
import { attempt } from '../base/attempt.ts'
import { onAbort } from '../base/on-abort.ts'
import type { ConnectionSlots } from '../base/ports/connection-slots.ts'
import { noop } from '../base/noop.ts'
import { DRAIN_MS } from '../seam/drain.ts'
import type { Batch } from '../seam/protocol.ts'
import { delay, type Clock, SHORTEST_BEAT_MS } from '../base/ports/clock.ts'
import {
  type Session,
  type SessionOptions,
  type StopResult,
  retryWait,
  type SessionObservation,
} from './agent-client.ts'
import { cancelRun } from './send-command.ts'
import {
  type Connection,
  endingOf,
  type Input,
  hasEnded,
  idleConnection,
  isEndedByAgent,
  next,
  BROKEN,
  SILENT,
  SLEPT,
  TRUNCATED,
} from './connection.ts'
import { createAnswerCount, createStreamLedger, type SessionEvent, type TakenPart, takeBatch } from './stream-ledger.ts'
import { createResumePoint, type ResumePoint } from './resume-point.ts'
import { clampWait } from '../base/backoff.ts'
import type { Visibility } from '../base/ports/environment.ts'

/**
 * Rate limiter (token bucket) for the attempts of one run. It applies whatever the server does, also when each attempt
 * brings new content.
 */
export interface RateLimiter {
  /** Clock time, `wish` or later, at which the next attempt may go out. */
  earliest(wish: number): number
  /** Whether an attempt that the user asks for is allowed now. */
  canRetryNow(now: number): boolean
  /** An attempt goes out. */
  count(now: number): void
}

/** Burst of attempts, then five a minute: at most 15 in the worst minute. */
const BURST = 10

const MS_PER_ATTEMPT = 12_000

/** A user may go this far beyond: 20 in the worst minute. */
const MANUAL_BURST = 5

/** @param start of the session's own clock */
export function createRateLimiter(start: number): RateLimiter {
  let tokens = BURST
  let asOf = start

  const tokensAt = (at: number): number => Math.min(BURST, tokens + Math.max(0, at - asOf) / MS_PER_ATTEMPT)

  return {
    earliest: (wish) => wish + Math.max(0, 1 - tokensAt(wish)) * MS_PER_ATTEMPT,
    canRetryNow: (now) => tokensAt(now) >= 1 - MANUAL_BURST,
    count(now) {
      tokens = tokensAt(now) - 1
      asOf = now
    },
  }
}

/** The wait the server asked for: no automatic attempt is made before it has ended. Saved in the resume point, so that it holds after a reload. */
interface RetryAfter {
  /** When the wait has ended, on the monotonic clock. */
  readonly until: number
  /** Records the wait of an error; returns its milliseconds. A longer wait replaces a shorter one. */
  record(error: AgentError): number
  clear(): void
}

function createRetryAfter(resumePoint: ResumePoint, clock: Clock): RetryAfter {
  let until = clock.now() + clampWait((resumePoint.notBefore ?? 0) - clock.date())
  return {
    get until() {
      return until
    },
    record({ retryAfterMs = 0 }) {
      const asked = clampWait(retryAfterMs)
      if (asked > 0 && clock.now() + asked > until) {
        until = clock.now() + asked
        resumePoint.notBefore = clock.date() + asked
      }
      return asked
    },
    clear() {
      until = 0
      resumePoint.notBefore = undefined
    },
  }
}

/** With several streams, a further stream may begin after the last CLOSE: the run ends after this time. */
const CLOSE_GRACE_MS = 250

/** Jitter after `online`: clients of one network reconnect spread over this time. */
const ONLINE_SPREAD_MS = 1000

/**
 * Drives one run over as many connections as it takes, and passes on each event once. The transitions are in connection-state.ts.
 *
 * @example
 * ```ts
 * import { type AgentClient, createSession, type Session } from 'capstan'
 *
 * export function read(client: AgentClient<string>, requestId: string): Session {
 *   const session = createSession({ client, request: 'Why?', requestId, onEvents: console.log, onEnded: console.log })
 *   session.start()
 *   return session
 * }
 * ```
 */
export function createSession<Request, Source>(options: SessionOptions<Request, Source>): Session {
  const { client, request, requestId, onEvents, resumePoint = createResumePoint() } = options
  assertSettled('client', client)
  assertSettled('request', request)
  const { protocol, retry, timeoutMs, environment, budget } = client
  const { clock, random, online, visibility } = environment
  const ledger = createStreamLedger(resumePoint.streams, protocol.firstSeq)
  const count = createAnswerCount(resumePoint, client.limits)
  const limiter = createRateLimiter(clock.now())
  const stallDetector = createStallDetector({ clock, visibility, timeoutMs, onLost: onStalled })
  let connection = idleConnection(retry.maxAttempts, ledger.size > 0)
  /** The request in flight: aborting it closes the connection. */
  let current: AbortController | undefined
  let response: unknown
  const retryAfter = createRetryAfter(resumePoint, clock)
  let [cancelWait, cancelGrace, stopListening] = [noop, noop, noop]
  let cancelling: Promise<StopResult> | undefined

  function apply(input: Input): void {
    const before = connection
    const after = next(before, input)
    if (after === before) return
    connection = after
    observe({ type: 'transition', requestId, input, before, after })
    enter(before, input)
    // If an effect or the observer re-entered apply(), that call has already notified: do not notify with a stale value.
    if (connection === after) options.onConnection?.(after)
    if (connection === after && hasEnded(after.phase) && !hasEnded(before.phase))
      options.onEnded(endingOf(after, response, resumePoint.outcome))
  }

  const applyOrDefer = (type: 'started' | 'resumed', isDue: boolean): void =>
    apply(isDue ? { type } : { type: 'deferred', nextRetryAt: earliest(0) })

  const observe = (observation: SessionObservation): void =>
    attempt(environment.report, () => client.observer?.(observation))

  /** The effects of entering a phase: starts what runs in it and stops everything else. */
  function enter(before: Connection, input: Input): void {
    const { phase } = connection
    cancelWait()
    cancelWait = noop
    const keepsConnection =
      phase === 'streaming' ||
      input.type === 'held' ||
      input.type === 'admitted' ||
      (phase === 'waiting' && input.type !== 'dropped')
    if (!keepsConnection) closeConnection(phase === 'closed' || (phase === 'failed' && ledger.hasSettled))
    if (connection.phase === 'waiting')
      cancelWait = clock.after(Math.max(0, connection.nextRetryAt - clock.now()), () => apply({ type: 'due' }))
    if (phase === 'paused' || hasEnded(phase)) {
      stopListening()
      stopListening = noop
    } else if (before.phase === 'idle' || before.phase === 'paused' || hasEnded(before.phase)) {
      stopListening = online.subscribe(onNetworkChanged)
    }
    // Last: either may change the phase synchronously.
    if (phase === 'connecting' && input.type !== 'admitted') openConnection()
    if (phase === 'waiting') onNetworkChanged()
  }

  function onNetworkChanged(): void {
    if (!online.isOnline()) apply({ type: 'went-offline' })
    else if (connection.phase === 'offline')
      apply({ type: 'came-online', nextRetryAt: earliest(random() * ONLINE_SPREAD_MS) })
  }

  /** Clock time of the next automatic attempt: after `waitMs`, if it is one, and never before the server allows it. */
  function earliest(waitMs: number): number {
    return limiter.earliest(Math.max(retryAfter.until, clock.now() + (waitMs > 0 ? waitMs : 0)))
  }

  /** @param isOver the run has its end: browsers list a response as cancelled that is not read to its own */
  function closeConnection(isOver = false): void {
    stallDetector.stop()
    cancelGrace()
    cancelGrace = noop
    const left = current
    current = undefined
    if (left === undefined || !isOver) return left?.abort()
    const cancel = clock.after(DRAIN_MS, () => left.abort())
    onAbort(left.signal, cancel)
  }

  function openConnection(): void {
    const own = new AbortController()
    current = own
    if (environment.slots === undefined) void readConnection(own)
    else void queueConnection(own, environment.slots)
  }

  /** Waits for a free slot, then opens the connection; closing the connection releases the slot. */
  async function queueConnection(own: AbortController, slots: ConnectionSlots): Promise<void> {
    apply({ type: 'held' })
    const release = await slots.take(protocol.server ?? '', own.signal).catch(() => noop)
    if (own.signal.aborted) return release()
    onAbort(own.signal, release)
    apply({ type: 'admitted' })
    await readConnection(own)
    release()
  }

  async function readConnection(own: AbortController): Promise<void> {
    const resumes = resumePoint.attempts > 0
    const inFlight = new AbortController()
    const release = onAbort(own.signal, () => inFlight.abort())
    let [firstOfResume, opened, succeeded] = [resumes, false, false]
    const receive = async (batch: Batch<Source>): Promise<void> => {
      const hasBeaten = stallDetector.heard(
        batch.deliveries.length > 0 ? 'content' : batch.partial === true ? 'partial' : 'empty',
      )
      const isAlive = opened && hasBeaten
      if (!opened) apply({ type: 'opened' })
      opened = true
      observe({ type: 'batch', requestId, batch })
      for (const part of takeBatch(ledger, batch, firstOfResume, count)) {
        if (part.last) resumePoint.handle = batch.handle ?? resumePoint.handle
        // With the ledger, before anybody can copy one without the other.
        resumePoint.outcome = part.outcome ?? resumePoint.outcome
        // A heartbeat proves that the run is alive: a server or proxy that cuts a silent answer is not a failure of the run.
        part.progressed ||= isAlive
        if (part.progressed && !succeeded) {
          succeeded = true
          budget?.earn()
        }
        if (part.events.length > 0) await handOver(part.events)
        if (current !== own) return
        conclude(part)
        if (current !== own) return
        stallDetector.listen()
      }
      if (batch.deliveries.some((delivery) => delivery.cursor !== undefined)) firstOfResume = false
    }
    // Only now: an attempt that was closed while it waited for a slot has not shortened the wait.
    retryAfter.clear()
    limiter.count(clock.now())
    stallDetector.listen()
    try {
      const batches = protocol.open({
        request,
        requestId,
        attempt: resumePoint.attempts++,
        restored: resumePoint.restored,
        cursors: ledger.cursors(),
        handle: resumePoint.handle,
        signal: inFlight.signal,
        wait: (ms) => delay(clock, ms, own.signal),
      })
      for await (const batch of batches) {
        // After the end of the run its rest is read and ignored.
        if (current === own) await receive(batch)
        if (own.signal.aborted) return
      }
      if (current === own) onConnectionLost(protocol.createError(TRUNCATED), false)
    } catch (error) {
      if (current === own) onConnectionLost(error, !resumes && !opened)
    } finally {
      // Not the request: a browser lists a response as cancelled that has just ended.
      release()
      own.abort()
    }
  }

  /** Pauses the stall detector while the consumer is busy: its time does not count as silence. */
  function handOver(events: readonly SessionEvent<Source>[]): void | Promise<void> {
    const busy = onEvents(events)
    if (busy !== undefined) stallDetector.pause()
    return busy
  }

  /** Applies what a part of a batch means for the connection, after its events were passed on. */
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

  function streamsEnded(isLast = ledger.size === 1): void {
    if (ledger.failure !== undefined) apply({ type: 'failed', error: ledger.failure })
    else if (isLast) apply({ type: 'finished' })
    else if (cancelGrace === noop) cancelGrace = clock.after(CLOSE_GRACE_MS, () => apply({ type: 'finished' }))
  }

  function onConnectionLost(cause: unknown, firstAttempt: boolean): void {
    if (ledger.hasSettled) return streamsEnded(true)
    const error = isAgentError(cause) ? cause : protocol.createError({ ...BROKEN, cause })
    const refused = firstAttempt && error.status !== undefined && retry.retryHttp !== true
    if (error.severity === 'TRANSIENT' && !refused) return tryAgain('dropped', error)
    // A later resume() has to wait as well.
    retryAfter.record(error)
    apply({ type: 'failed', error })
  }

  function onStalled(silence: Silence): void {
    const [init, waitMs] = silence === 'slept' ? [SLEPT, 0] : [{ ...SILENT, details: { timeoutMs } }]
    tryAgain('dropped', protocol.createError(init), waitMs)
  }

  /** Another attempt, if the policy has one left. */
  function tryAgain(type: 'interrupted' | 'dropped', cause: AgentError, waitMs?: number): void {
    const attempt = connection.attempt + 1
    const asked = retryAfter.record(cause)
    // A connection that opened and brought nothing new ended for the reason that the agent gave before.
    const error = type === 'dropped' && connection.phase === 'streaming' ? (ledger.interruption ?? cause) : cause
    if (ledger.size > 0 && protocol.canResume?.(ledger.cursors(), resumePoint.handle) === false) {
      // Without packet numbers a replay cannot be deduplicated: another attempt would only double the text.
      return apply({ type: 'failed', error: protocol.createError({ ...errorInit(error), severity: 'FATAL' }) })
    }
    if (connection.phase !== 'connecting' && connection.phase !== 'streaming') {
      // Already waiting: only a longer Retry-After changes the plan. A connection that ended or stalled is closed during the wait.
      if (type === 'dropped') closeConnection()
      return apply({ type, error, nextRetryAt: earliest(0) })
    }
    if (attempt > retry.maxAttempts) return apply({ type: 'failed', error })
    const wait = retryWait(client, asked, () => waitMs ?? retry.delayMs(attempt, cause, random()))
    apply({ type, error, nextRetryAt: earliest(wait) })
  }

  return {
    get connection() {
      return connection
    },
    start: () => applyOrDefer('started', retryAfter.until <= clock.now()),
    async stop() {
      if (isEndedByAgent(connection)) return 'cancelled'
      apply({ type: 'stopped' })
      return (cancelling ??= cancelRun(client, requestId, resumePoint))
    },
    disconnect: () => apply({ type: 'disconnected' }),
    resume: () => applyOrDefer('resumed', retryAfter.until <= clock.now() && limiter.canRetryNow(clock.now())),
    retryNow() {
      if ((connection.phase === 'waiting' || connection.phase === 'offline') && limiter.canRetryNow(clock.now()))
        apply({ type: 'retried' })
    },
  }
}

/** The session of a run: of its own, or one that the client's connection carries beside others. */
export function openRun<Request, Source>(options: SessionOptions<Request, Source>): Session {
  return options.client.openRun?.(options) ?? createSession(options)
}

/** Why a connection without an error counts as lost: it was silent, or this machine was asleep. */
export type Silence = 'silent' | 'slept'

/** `content`: packets. `empty`: a sign of life without content, perhaps a heartbeat. `partial`: bytes that completed nothing. */
type LifeSign = 'content' | 'empty' | 'partial'

/** Stall detector (watchdog): finds connections that are dead without having ended. */
export interface StallDetector {
  /** Begins, or continues, to count the silence. */
  listen(): void
  /** Records a sign of life. Returns whether it is a heartbeat: empty, and after a silence. */
  heard(sign: LifeSign): boolean
  /** Stops counting while the consumer is busy. Its timer and its listener stay: a stream is paused at every chunk. */
  pause(): void
  /** Stops for good: the connection is gone. */
  stop(): void
}

interface StallDetectorOptions {
  readonly clock: Clock
  readonly visibility: Visibility
  readonly timeoutMs: number
  onLost(silence: Silence): void
}

/** Interval of the checks. A sleep of the machine is detected by a check that runs much too late. */
const LOOK_MS = 5000

const SLEEP_MS = 15_000

/** A connection with known heartbeats counts as lost sooner, but not before two heartbeats are missing. */
const BEATING_TIMEOUT_MS = 30_000

const MISSED_BEATS = 2.5

/**
 * Bytes of one incomplete frame count as a sign of life for this many timeouts: enough for the largest frame, and a
 * limit for one that never ends.
 */
const PARTIAL_TIMEOUTS = 5

/** A clock with low resolution may never show a remaining time this short as elapsed. */
const SHORTEST_LOOK_MS = 1

/**
 * Finds connections that are dead without having ended: half-open sockets by their silence, and those that did not
 * survive a sleep of the machine by the gap in time (CAP section 7, row 30).
 */
export function createStallDetector({ clock, visibility, timeoutMs, onLost }: StallDetectorOptions): StallDetector {
  let listening = false
  let heardAt = 0
  /** When the last frame or comment was complete. */
  let completedAt = 0
  let lookedAt = 0
  let lookedOn = 0
  let lastBeatAt: number | undefined
  let beatMs = 0
  let cancel = noop
  let unsubscribe = noop

  function silenceLimit(): number {
    return beatMs === 0 ? timeoutMs : Math.min(timeoutMs, Math.max(BEATING_TIMEOUT_MS, beatMs * MISSED_BEATS))
  }

  /** Milliseconds of silence until the connection counts as lost. */
  function silenceLeft(): number {
    return heardAt + silenceLimit() - clock.now()
  }

  function look(): void {
    if (!listening) return
    const now = clock.now()
    const late = now - lookedAt - LOOK_MS
    const jumped = clock.date() - lookedOn - (now - lookedAt)
    // A hidden page's timers may be a minute late without any sleep.
    const slept = jumped > SLEEP_MS || (late > SLEEP_MS && visibility.isVisible())
    const silent = silenceLeft() <= 0
    lookedAt = now
    lookedOn = clock.date()
    if (slept || silent) {
      stop()
      onLost(slept ? 'slept' : 'silent')
    } else arm()
  }

  function arm(): void {
    cancel()
    const left = silenceLeft()
    cancel = clock.after(left < LOOK_MS ? Math.max(SHORTEST_LOOK_MS, left) : LOOK_MS, () => {
      cancel = noop
      look()
    })
  }

  function stop(): void {
    listening = false
    cancel()
    unsubscribe()
    cancel = noop
    unsubscribe = noop
  }

  return {
    listen() {
      if (listening) return
      listening = true
      heardAt = clock.now()
      completedAt = heardAt
      lookedAt = heardAt
      lookedOn = clock.date()
      // A user who comes back to the page sees immediately whether the connection is alive.
      if (unsubscribe === noop)
        unsubscribe = visibility.subscribe(() => {
          if (visibility.isVisible()) look()
        })
      // A look that is earlier than it has to be only arms the next one.
      if (cancel === noop) arm()
    },
    heard(sign) {
      const now = clock.now()
      if (sign === 'partial') {
        if (now - completedAt < PARTIAL_TIMEOUTS * timeoutMs) heardAt = now
        return false
      }
      const isBeat = sign === 'empty' && now - completedAt >= SHORTEST_BEAT_MS
      heardAt = now
      completedAt = now
      if (sign === 'content') {
        lastBeatAt = undefined
        return false
      }
      // Chunks of one large frame arrive close together; heartbeats do not.
      if (lastBeatAt !== undefined && now - lastBeatAt >= SHORTEST_BEAT_MS) beatMs = Math.max(beatMs, now - lastBeatAt)
      lastBeatAt = now
      return isBeat
    },
    pause() {
      listening = false
    },
    stop,
  }
}
