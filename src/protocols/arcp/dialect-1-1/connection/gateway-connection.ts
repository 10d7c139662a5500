import { isJsonObject } from '../../../../base/json-object.ts'
import type { ArcpMessage } from '../../read/message.ts'
import type { ArcpErrorPayload } from '../../schema/payloads.ts'
import { type MessageMembers, type Saying, said, toMessage } from './translate-event.ts'
import type { DialectMemory, ResumableSession } from './job-record.ts'
import type { JobFrame } from '../frame/read-frame.ts'
import type { FramePayload, FrameType } from '../frame/frame-schemas.ts'
import { attempt } from '../../../../base/attempt.ts'
import { noop } from '../../../../base/noop.ts'
import type { Environment } from '../../../../base/ports/environment.ts'
import { stringifyWellFormed } from '../../../../base/bounded-json.ts'
import type { Clock } from '../../../../base/ports/clock.ts'

/** What a request of ARCP 1.0 about a job waits for: its events, plain or for a subscription. */
export interface JobWaiter {
  /** The message that asks. */
  readonly id: string
  /** Only messages after the one with this id. Absent: all. */
  readonly after: string | undefined
  /** A subscription, which gets separate messages; `history`: earlier ones too. */
  readonly subscription?: { readonly history: boolean } | undefined
}

/** How a job is followed on a connection. */
interface FollowedJob {
  /** New messages are buffered until the history was passed on. */
  isHeld: boolean
  /** Events that came while its history is asked for. Absent: it is not. */
  history: JobFrame[] | undefined
  /** Those who wait for its history. */
  waiters: JobWaiter[]
  /** Ids of its subscriptions. */
  readonly subscriptions: Set<string>
  /** It was submitted on this connection: what it is refused is its own failure. */
  isOwn: boolean
}

/** A connection whose session has begun: it carries the messages of both sides. */
export interface GatewayConnection {
  readonly memory: DialectMemory
  readonly session: ResumableSession
  readonly features: ReadonlySet<string>
  readonly requests: Requests
  /** Messages that ask to cancel a job, by the job. */
  readonly cancels: Map<string, string>
  followed(jobId: string): FollowedJob
  allFollowed(): Iterable<readonly [jobId: string, followed: FollowedJob]>
  /** Tells the client. */
  out(message: ArcpMessage): void
  /** Tells the client that something could not be read. */
  fault(error: Error): void
  /** Tells the runtime. Gives the id of the message. */
  send<Type extends FrameType>(
    type: Type,
    payload: FramePayload<Type>,
    members?: { job_id?: string; trace_id?: string },
  ): string
  /** Calls back when all that the runtime had sent before has come. */
  barrier(done: () => void): void
  /** A ping was answered. False: it was none of `barrier`. */
  isBarrier(nonce: string): boolean
  /** Calls back later, unless the connection is gone by then. */
  later(ms: number, callback: () => void): void
  uuid(): string
  now(): string
}

/** Tells the client something of the session. */
export function tell(
  { memory, session, out, now }: GatewayConnection,
  saying: Saying,
  members: Pick<MessageMembers, 'correlation_id' | 'subscription_id' | 'job_id'> = {},
): void {
  out(toMessage(saying, { id: memory.nextId(), timestamp: now(), session_id: session.id, ...members }))
}

/** A message of the client was refused. */
export function refuse(gateway: GatewayConnection, id: string, error: ArcpErrorPayload): void {
  tell(gateway, said('nack', { ...error, ack_for: id }), { correlation_id: id })
}

/** A message to a subscription, as a runtime of ARCP 1.0 would send it. */
export function tellSubscription(gateway: GatewayConnection, subscriptionId: string, message: ArcpMessage): void {
  tell(gateway, said('subscribe.event', { event: plain(message) }), { subscription_id: subscriptionId })
}

function plain(message: ArcpMessage): Record<string, unknown> {
  const { name, part: _, partId: __, ...rest } = { name: undefined, part: undefined, partId: undefined, ...message }
  return { ...rest, type: message.type === 'extension' ? name : message.type, payload: withoutUndefined(rest.payload) }
}

function withoutUndefined(payload: object): object {
  return isJsonObject(payload)
    ? Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined))
    : payload
}

interface GatewayConnectionOptions {
  readonly memory: DialectMemory
  readonly session: ResumableSession
  readonly features: ReadonlySet<string>
  readonly environment: Environment
  out(message: ArcpMessage): void
  fault(error: Error): void
  /** Sends a frame. @throws AgentError when the connection is gone */
  sendFrame(frame: string): void
}

/** A connection with its end. */
export interface OpenGatewayConnection extends GatewayConnection {
  /** The client has processed the runtime's messages up to this number. */
  taken(seq: number): void
  /** The connection is gone. */
  end(): void
}

/** Shortest interval between acknowledgements to the runtime, in milliseconds. */
const ACK_MS = 500

/** How long is waited for what may still come, where the runtime answers no pings. */
const QUIET_MS = 250

export function createGatewayConnection(options: GatewayConnectionOptions): OpenGatewayConnection {
  const { memory, session, features, environment, sendFrame } = options
  const { clock } = environment
  const jobs = new Map<string, FollowedJob>()
  const barriers = new Map<string, () => void>()
  const timers = new Set<() => void>()
  let takenSeq = session.lastSeq
  let cancelAck = noop

  function after(ms: number, callback: () => void): () => void {
    const cancel = clock.after(ms, () => {
      timers.delete(cancel)
      // The reader reports a connection that has closed in the meantime.
      attempt(noop, callback)
    })
    timers.add(cancel)
    return cancel
  }

  const requests = createRequests({ after })

  const gateway: OpenGatewayConnection = {
    memory,
    session,
    features,
    requests,
    cancels: new Map(),
    out: options.out,
    fault: options.fault,
    followed(jobId) {
      const known = jobs.get(jobId)
      if (known !== undefined) return known
      const followed: FollowedJob = {
        isHeld: false,
        history: undefined,
        waiters: [],
        subscriptions: new Set(),
        isOwn: false,
      }
      jobs.set(jobId, followed)
      return followed
    },
    allFollowed: () => jobs,
    send(type, payload, members = {}) {
      const id = `msg_${environment.uuid()}`
      sendFrame(stringifyWellFormed({ arcp: '1.1', id, type, session_id: session.id, ...members, payload }))
      return id
    },
    barrier(done) {
      if (!features.has('heartbeat')) return void after(QUIET_MS, done)
      const nonce = `barrier_${memory.nextId()}`
      barriers.set(nonce, done)
      gateway.send('session.ping', { nonce, sent_at: gateway.now() })
    },
    isBarrier(nonce) {
      const done = barriers.get(nonce)
      barriers.delete(nonce)
      done?.()
      return done !== undefined
    },
    later: (ms, callback) => void after(ms, callback),
    uuid: environment.uuid,
    now: () => new Date(clock.date()).toISOString(),
    taken(seq) {
      if (seq <= takenSeq || !features.has('ack')) return
      takenSeq = seq
      if (cancelAck !== noop) return
      cancelAck = after(ACK_MS, () => {
        cancelAck = noop
        gateway.send('session.ack', { last_processed_seq: takenSeq })
      })
    },
    end() {
      requests.end()
      for (const cancel of timers) cancel()
      timers.clear()
    },
  }
  return gateway
}

/** Something that is asked of the runtime, whose answer does not name it. */
interface UncorrelatedRequest {
  readonly kind: 'submit' | 'subscribe' | 'list'
  /** The message of ARCP 1.0 that asks, or the job that is subscribed to. */
  readonly id: string
  /** The trace of a submission. */
  readonly traceId?: string | undefined
  send(): void
  refuse(error: ArcpErrorPayload): void
  /** Takes a list of jobs; absent where the client asked for it. */
  readonly take?: ((jobs: FramePayload<'session.jobs'>) => void) | undefined
}

/** Asks for one thing at a time: an error says nothing but that the last request was refused. */
interface Requests {
  /** What was asked, and is not answered. */
  readonly current: UncorrelatedRequest | undefined
  /** Whether this is asked, or waits to be. */
  has(kind: UncorrelatedRequest['kind'], id: string): boolean
  add(request: UncorrelatedRequest): void
  /** The request was answered. */
  done(): void
  /** The request was refused. */
  refuse(error: ArcpErrorPayload): void
  /** The connection is gone, and what was asked on it forgotten. */
  end(): void
}

/** Longest wait for an answer: others wait behind it. */
const LONGEST_MS = 60_000

/** Requests refused for lack of a reply. */
export const NO_ANSWER: ArcpErrorPayload = {
  code: 'TIMEOUT',
  message: 'The agent did not answer in time.',
  retryable: true,
}

function createRequests(clock: Pick<Clock, 'after'>): Requests {
  let waiting: UncorrelatedRequest[] = []
  let current: UncorrelatedRequest | undefined
  let cancel = noop

  function next(): void {
    cancel()
    cancel = noop
    current = waiting.shift()
    if (current === undefined) return
    cancel = clock.after(LONGEST_MS, () => refuse(NO_ANSWER))
    current.send()
  }

  function refuse(error: ArcpErrorPayload): void {
    const refused = current
    next()
    refused?.refuse(error)
  }

  return {
    get current() {
      return current
    },
    has: (kind, id) => [current, ...waiting].some((each) => each?.kind === kind && each.id === id),
    add(request) {
      waiting.push(request)
      if (current === undefined) next()
    },
    done: next,
    refuse,
    end() {
      waiting = []
      cancel()
      current = undefined
    },
  }
}

/** The client itself pings as often, in seconds. */
const OWN_SECONDS = 20

/** Sends a message at the runtime's required interval, if that is shorter than the client's own. */
export function keepAlive(gateway: GatewayConnection, seconds: number | undefined): void {
  if (seconds === undefined || seconds <= 0 || seconds > OWN_SECONDS || !gateway.features.has('heartbeat')) return
  const ms = Math.max(seconds, 1) * 1000
  const beat = (): void => {
    gateway.barrier(noop)
    gateway.later(ms, beat)
  }
  gateway.later(ms, beat)
}
