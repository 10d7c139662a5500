import { ValidationError } from '../../../../base/format/validation-error.ts'
import type { ArcpMessage } from '../../read/message.ts'
import type { ArcpErrorPayload } from '../../schema/payloads.ts'
import {
  type JobRecord,
  addAccepted,
  addFrame,
  addSaid,
  countOn,
  createJobRecord,
  isDropped,
  saidAfter,
} from './job-record.ts'
import { said, warned } from './translate-event.ts'
import type { FrameOf, JobFrame } from '../frame/read-frame.ts'
import { placeOf, START } from '../frame/place-id.ts'
import { type JobWaiter, type GatewayConnection, refuse, tell, tellSubscription } from './gateway-connection.ts'
import type { FramePayload } from '../frame/frame-schemas.ts'

/** Passes on the new messages of a job. */
export function passOn(gateway: GatewayConnection, record: JobRecord, messages: readonly ArcpMessage[]): void {
  const followed = gateway.followed(record.id)
  for (const message of messages) {
    if (record.isShown && !followed.isHeld) gateway.out(message)
    for (const id of followed.subscriptions) tellSubscription(gateway, id, message)
  }
}

/** An event of a job: the next one, or one of the history that was asked for. */
export function takeJobFrame(gateway: GatewayConnection, record: JobRecord, frame: JobFrame): void {
  const { history } = gateway.followed(record.id)
  if (history !== undefined) history.push(frame)
  // Else a history that was asked for before a cut: it is asked for again.
  else if (record.home === gateway.session.id) addNext(gateway, record, frame)
}

function addNext(gateway: GatewayConnection, record: JobRecord, frame: JobFrame): void {
  // The first end holds.
  if (record.isEnded) return
  const { messages, fault } = addFrame(record, frame, gateway.now())
  passOn(gateway, record, messages)
  if (fault !== undefined) gateway.fault(new ValidationError(`job.event: ${fault.message}`))
}

/**
 * Follows a job: its history after a message, then new messages. A job of an earlier session, or of another page, is subscribed to;
 * the runtime then says its events again.
 */
export function readJob(gateway: GatewayConnection, jobId: string, waiter: JobWaiter): void {
  const { memory, session, features } = gateway
  const record = memory.jobs.get(jobId)
  const followed = gateway.followed(jobId)
  const isSubscription = waiter.subscription !== undefined
  if (record !== undefined && !isSubscription) record.isShown = true
  if (record !== undefined && (record.isEnded || record.home === session.id) && followed.history === undefined) {
    if (isSubscription) return answer(gateway, record, waiter)
    followed.isHeld = true
    followed.waiters.push(waiter)
    return answerBehind(gateway, record, waiter)
  }
  if (!features.has('subscribe')) return refuse(gateway, waiter.id, NO_SUBSCRIPTIONS)
  if (!isSubscription) followed.isHeld = true
  followed.waiters.push(waiter)
  askHistory(gateway, record ?? openRecord(gateway, jobId, { isShown: !isSubscription, home: undefined }))
}

/** An unknown job. @default reported in this session, and read by runs */
export function openRecord(
  { memory, session }: GatewayConnection,
  jobId: string,
  { isShown, home }: Pick<JobRecord, 'isShown' | 'home'> = { isShown: true, home: session.id },
): JobRecord {
  const record = createJobRecord(jobId, home)
  record.isShown = isShown
  memory.jobs.set(jobId, record)
  memory.trim()
  return record
}

/** Has the runtime report a job in this session, its history first. */
export function askHistory(gateway: GatewayConnection, record: JobRecord): void {
  const followed = gateway.followed(record.id)
  if (followed.history !== undefined) return
  followed.history = []
  const { id: sessionId } = gateway.session
  if (record.askedIn !== sessionId) return subscribe(gateway, record)
  // Late messages of that subscription would mix with the replay.
  gateway.send('job.unsubscribe', { job_id: record.id })
  gateway.barrier(() => subscribe(gateway, record))
}

function subscribe(gateway: GatewayConnection, record: JobRecord): void {
  const followed = gateway.followed(record.id)
  gateway.requests.add({
    kind: 'subscribe',
    id: record.id,
    send() {
      if (record.home !== gateway.session.id) followed.history = []
      record.askedIn = gateway.session.id
      gateway.send('job.subscribe', { job_id: record.id, from_event_seq: 0, history: true })
    },
    refuse(error) {
      const { history = [] } = followed
      followed.history = undefined
      for (const frame of history) takeJobFrame(gateway, record, frame)
      if (record.log.length > 0) {
        // Nothing more will come of a job that is known from before.
        lose(gateway, record, error)
        return answerAll(gateway, record)
      }
      const { waiters } = followed
      followed.waiters = []
      gateway.memory.jobs.delete(record.id)
      for (const { id } of waiters) refuse(gateway, id, error)
    },
  })
}

/** The runtime reports a job from now on. Its history has come with the next barrier, whichever is sent first. */
export function takeSubscribed(gateway: GatewayConnection, frame: FrameOf<'job.subscribed'>): void {
  const { requests, memory } = gateway
  const { job_id: jobId } = frame.payload
  const record = memory.jobs.get(jobId)
  if (requests.current?.kind !== 'subscribe' || requests.current.id !== jobId || record === undefined) return
  requests.done()
  gateway.barrier(() => readHistory(gateway, record, frame))
}

function readHistory(gateway: GatewayConnection, record: JobRecord, { payload }: FrameOf<'job.subscribed'>): void {
  const followed = gateway.followed(record.id)
  const { waiters } = followed
  const frames = followed.history ?? []
  followed.history = undefined
  record.home = gateway.session.id
  const isNew = record.log.length === 0
  const places = waiters.map(({ after }) => placeOf(after) ?? START)
  const read = record.place.ordinal > 0 ? record.place : places.reduce((a, b) => (b.ordinal > a.ordinal ? b : a), START)
  const counted = countOn(record, frames, read)
  const accepted = isNew ? addAccepted(record, { payload }, undefined, gateway.now()) : []
  passOn(gateway, record, accepted)
  if (counted.isGap) passOn(gateway, record, addSaid(record, [warned(GAP)], gateway.now()))
  for (const next of counted.frames) addNext(gateway, record, next)
  if (!record.isEnded && ENDS.has(payload.current_status)) lose(gateway, record, endedAs(payload.current_status))
  answerAll(gateway, record)
}

/** The job has an end that did not come, or cannot come any more. */
function lose(gateway: GatewayConnection, record: JobRecord, error: ArcpErrorPayload): void {
  if (record.isEnded) return
  record.isEnded = true
  const isCancelled = error.code === 'CANCELLED'
  const end = isCancelled
    ? said('job.cancelled', { reason: error.message, code: error.code })
    : said('job.failed', error)
  passOn(gateway, record, addSaid(record, [end], gateway.now()))
}

function answerAll(gateway: GatewayConnection, record: JobRecord): void {
  for (const waiter of gateway.followed(record.id).waiters) answerBehind(gateway, record, waiter)
}

/** Replies after the client's earlier messages: earlier ones are omitted. */
function answerBehind(gateway: GatewayConnection, record: JobRecord, waiter: JobWaiter): void {
  gateway.barrier(() => {
    const followed = gateway.followed(record.id)
    if (!followed.waiters.includes(waiter)) return
    followed.waiters = followed.waiters.filter((each) => each !== waiter)
    followed.isHeld = followed.waiters.some(({ subscription }) => subscription === undefined)
    answer(gateway, record, waiter)
  })
}

/** The history is passed on; new messages follow. */
function answer(gateway: GatewayConnection, record: JobRecord, { id, after, subscription }: JobWaiter): void {
  if (subscription === undefined) {
    if (isDropped(record, after)) tell(gateway, warned(DROPPED), { job_id: record.id })
    for (const message of saidAfter(record, after)) gateway.out(message)
    return tell(gateway, said('ack', { ack_for: id }), { correlation_id: id })
  }
  const subscriptionId = subscriptionOf(id, record.id)
  tell(gateway, said('subscribe.accepted', { subscription_id: subscriptionId }), { correlation_id: id })
  if (subscription.history)
    for (const message of saidAfter(record, after)) tellSubscription(gateway, subscriptionId, message)
  const end = said('event.emit', { name: 'subscription.backfill_complete' })
  tell(gateway, said('subscribe.event', { event: backfilled(gateway, end.payload) }), {
    subscription_id: subscriptionId,
  })
  gateway.followed(record.id).subscriptions.add(subscriptionId)
}

function backfilled({ memory, now }: GatewayConnection, payload: object): Record<string, unknown> {
  return { arcp: '1.0', id: memory.nextId(), timestamp: now(), type: 'event.emit', payload }
}

/** Id of a subscription, by the message that asks for it. */
function subscriptionOf(id: string, jobId: string): string {
  return `${jobId}/${id}`
}

/** The states of a job that are ends. */
const ENDS: ReadonlySet<string> = new Set(['success', 'error', 'cancelled', 'timed_out'])

function endedAs(status: string): ArcpErrorPayload {
  if (status === 'cancelled') return { code: 'CANCELLED', message: 'The job was cancelled.' }
  return {
    code: 'DATA_LOSS',
    message: `The job has ended as ${status}, and what it said at its end cannot be read any more.`,
    retryable: false,
  }
}

const GAP = 'Some of what the job said may be missing: the agent keeps it no longer.'

const DROPPED = 'Some of what the job said is missing here: it has said more than is kept.'

const NO_SUBSCRIPTIONS: ArcpErrorPayload = {
  code: 'DATA_LOSS',
  message: 'The session has ended, and the agent does not let its jobs be followed in another one.',
  retryable: false,
}

/** How often it is asked what became of jobs that say nothing, in milliseconds. */
const CHECK_MS = 20_000

/**
 * Jobs that continued when their session was resumed: a published runtime drops what such jobs say, so that nothing would ever come. As
 * long as one is silent, the runtime is asked whether it still has it; an ended job is read, an unknown one has failed.
 */
export function checkResumedJobs(gateway: GatewayConnection): void {
  const { memory, session, features } = gateway
  const silent = [...memory.jobs.values()].filter(({ home, isEnded }) => home === session.id && !isEnded)
  const places = new Map(silent.map(({ id, place }) => [id, place.ordinal]))
  const isSilent = ({ id, isEnded, place }: JobRecord): boolean => !isEnded && place.ordinal === places.get(id)
  if (!features.has('list_jobs') || silent.length === 0) return

  function check(): void {
    if (!silent.some(isSilent)) return
    gateway.requests.add({
      kind: 'list',
      id: memory.nextId(),
      send: () => void gateway.send('session.list_jobs', { filter: undefined, limit: undefined, cursor: undefined }),
      refuse: () => undefined,
      take: judge,
    })
    gateway.later(CHECK_MS, check)
  }

  function judge({ jobs, next_cursor: more }: FramePayload<'session.jobs'>): void {
    const states = new Map(jobs.map(({ job_id: id, status }) => [id, status]))
    for (const record of silent.filter(isSilent)) {
      const status = states.get(record.id)
      if (status === undefined ? more !== undefined : !ENDS.has(status)) continue
      if (features.has('subscribe')) askHistory(gateway, record)
      else lose(gateway, record, GONE)
    }
  }

  gateway.barrier(check)
}

const GONE = {
  code: 'DATA_LOSS',
  message: 'The job has ended, and what it said at its end cannot be read any more.',
  retryable: false,
}
