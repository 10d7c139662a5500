import { isJsonObject } from '../../../../base/json-object.ts'
import type { ArcpMessage } from '../../read/message.ts'
import type { ArcpErrorPayload } from '../../schema/error.ts'
import type { MessageMembers, Saying } from '../job/saying.ts'
import { said, toMessage } from '../job/saying.ts'
import type { DialectMemory, ResumableSession } from '../job/dialect-memory.ts'
import type { JobFrame } from '../read/frame.ts'
import type { FramePayload, FrameType } from '../schema/payloads.ts'
import type { Requests } from './requests.ts'

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
export interface FollowedJob {
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
