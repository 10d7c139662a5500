import { ReadFault } from '../../read/key-reader.ts'
import type { ArcpMessage } from '../../read/message.ts'
import type { ArcpErrorPayload } from '../../schema/error.ts'
import type { JobRecord } from '../job/job-record.ts'
import { addAccepted, addFrame, addSaid, countOn, createJobRecord, saidAfter } from '../job/job-record.ts'
import { said, warned } from '../job/saying.ts'
import type { FrameOf, JobFrame } from '../read/frame.ts'
import { placeOf, START } from '../values/place-id.ts'
import type { JobWaiter, Passage } from './passage.ts'
import { refuse, tell, tellSubscription } from './passage.ts'

/** Passes on what a job has just said. */
export function passOn(passage: Passage, record: JobRecord, messages: readonly ArcpMessage[]): void {
  const followed = passage.followed(record.id)
  for (const message of messages) {
    if (record.isShown && !followed.isHeld) passage.out(message)
    for (const id of followed.subscriptions) tellSubscription(passage, id, message)
  }
}

/** An event of a job: the next one, or one of the history that was asked for. */
export function takeJobFrame(passage: Passage, record: JobRecord, frame: JobFrame): void {
  const { history } = passage.followed(record.id)
  if (history !== undefined) history.push(frame)
  // Else a history that was asked for before a cut: it is asked for again.
  else if (record.home === passage.session.id) addNext(passage, record, frame)
}

function addNext(passage: Passage, record: JobRecord, frame: JobFrame): void {
  // The first end holds.
  if (record.isEnded) return
  const { messages, fault } = addFrame(record, frame, passage.now())
  passOn(passage, record, messages)
  if (fault !== undefined) passage.fault(new ReadFault(`job.event: ${fault.message}`))
}

/**
 * Reads a job on: what it said after a message, then what it says. A job of an earlier session, or of another page, is subscribed to;
 * the runtime then says its events again.
 */
export function readJob(passage: Passage, jobId: string, waiter: JobWaiter): void {
  const { memory, session, features } = passage
  const record = memory.jobs.get(jobId)
  const followed = passage.followed(jobId)
  const isSubscription = waiter.subscription !== undefined
  if (record !== undefined && !isSubscription) record.isShown = true
  if (record !== undefined && (record.isEnded || record.home === session.id) && followed.history === undefined) {
    if (isSubscription) return answer(passage, record, waiter)
    if (record.isTrimmed) return refuse(passage, waiter.id, TOO_MUCH)
    followed.isHeld = true
    followed.waiters.push(waiter)
    return passage.barrier(() => answerAll(passage, record))
  }
  if (!features.has('subscribe')) return refuse(passage, waiter.id, NO_SUBSCRIPTIONS)
  if (!isSubscription) followed.isHeld = true
  followed.waiters.push(waiter)
  askHistory(passage, record ?? openRecord(passage, jobId, { isShown: !isSubscription, home: undefined }))
}

/** A job that was not known. @default told of in this session, and read by runs */
export function openRecord(
  { memory, session }: Passage,
  jobId: string,
  { isShown, home }: Pick<JobRecord, 'isShown' | 'home'> = { isShown: true, home: session.id },
): JobRecord {
  const record = createJobRecord(jobId, home)
  record.isShown = isShown
  memory.jobs.set(jobId, record)
  memory.trim()
  return record
}

/** Has the runtime tell of a job in this session, its history first. */
export function askHistory(passage: Passage, record: JobRecord): void {
  const followed = passage.followed(record.id)
  if (followed.history !== undefined) return
  followed.history = []
  const { id: sessionId } = passage.session
  if (record.askedIn !== sessionId) return subscribe(passage, record)
  // What that subscription still says would come among what is said again.
  passage.send('job.unsubscribe', { job_id: record.id })
  passage.barrier(() => subscribe(passage, record))
}

function subscribe(passage: Passage, record: JobRecord): void {
  const followed = passage.followed(record.id)
  passage.requests.add({
    kind: 'subscribe',
    id: record.id,
    send() {
      if (record.home !== passage.session.id) followed.history = []
      record.askedIn = passage.session.id
      passage.send('job.subscribe', { job_id: record.id, from_event_seq: 0, history: true })
    },
    refuse(error) {
      const { history = [] } = followed
      followed.history = undefined
      for (const frame of history) takeJobFrame(passage, record, frame)
      if (record.log.length > 0) {
        // Nothing more will come of a job that is known from before.
        lose(passage, record, error)
        return answerAll(passage, record)
      }
      const { waiters } = followed
      followed.waiters = []
      passage.memory.jobs.delete(record.id)
      for (const { id } of waiters) refuse(passage, id, error)
    },
  })
}

/** The runtime tells of a job from now on. Its history has come with the next barrier, whichever is sent first. */
export function takeSubscribed(passage: Passage, frame: FrameOf<'job.subscribed'>): void {
  const { requests, memory } = passage
  const { job_id: jobId } = frame.payload
  const record = memory.jobs.get(jobId)
  if (requests.current?.kind !== 'subscribe' || requests.current.id !== jobId || record === undefined) return
  requests.done()
  passage.barrier(() => readHistory(passage, record, frame))
}

function readHistory(passage: Passage, record: JobRecord, { payload }: FrameOf<'job.subscribed'>): void {
  const followed = passage.followed(record.id)
  const { waiters } = followed
  const frames = followed.history ?? []
  followed.history = undefined
  record.home = passage.session.id
  const isNew = record.log.length === 0
  const places = waiters.map(({ after }) => placeOf(after) ?? START)
  const read = record.place.ordinal > 0 ? record.place : places.reduce((a, b) => (b.ordinal > a.ordinal ? b : a), START)
  const counted = countOn(record, frames, read)
  const accepted = isNew ? addAccepted(record, { payload }, undefined, passage.now()) : []
  passOn(passage, record, accepted)
  if (counted.isGap) passOn(passage, record, addSaid(record, [warned(GAP)], passage.now()))
  for (const next of counted.frames) addNext(passage, record, next)
  if (!record.isEnded && ENDS.has(payload.current_status)) lose(passage, record, endedAs(payload.current_status))
  answerAll(passage, record)
}

/** The job has an end that did not come, or cannot come any more. */
export function lose(passage: Passage, record: JobRecord, error: ArcpErrorPayload): void {
  if (record.isEnded) return
  record.isEnded = true
  const isCancelled = error.code === 'CANCELLED'
  const end = isCancelled
    ? said('job.cancelled', { reason: error.message, code: error.code })
    : said('job.failed', error)
  passOn(passage, record, addSaid(record, [end], passage.now()))
}

function answerAll(passage: Passage, record: JobRecord): void {
  const followed = passage.followed(record.id)
  const { waiters } = followed
  followed.waiters = []
  followed.isHeld = false
  for (const waiter of waiters) answer(passage, record, waiter)
}

/** What was said before is passed on; what is said from now on follows. */
function answer(passage: Passage, record: JobRecord, { id, after, subscription }: JobWaiter): void {
  if (subscription === undefined) {
    for (const message of saidAfter(record, after)) passage.out(message)
    return tell(passage, said('ack', { ack_for: id }), { correlation_id: id })
  }
  const subscriptionId = subscriptionOf(id, record.id)
  tell(passage, said('subscribe.accepted', { subscription_id: subscriptionId }), { correlation_id: id })
  if (subscription.history)
    for (const message of saidAfter(record, after)) tellSubscription(passage, subscriptionId, message)
  const end = said('event.emit', { name: 'subscription.backfill_complete' })
  tell(passage, said('subscribe.event', { event: backfilled(passage, end.payload) }), {
    subscription_id: subscriptionId,
  })
  passage.followed(record.id).subscriptions.add(subscriptionId)
}

function backfilled({ memory, now }: Passage, payload: object): Record<string, unknown> {
  return { arcp: '1.0', id: memory.nextId(), timestamp: now(), type: 'event.emit', payload }
}

/** Id of a subscription, by the message that asks for it. */
function subscriptionOf(id: string, jobId: string): string {
  return `${jobId}/${id}`
}

/** The states of a job that are ends. */
export const ENDS: ReadonlySet<string> = new Set(['success', 'error', 'cancelled', 'timed_out'])

function endedAs(status: string): ArcpErrorPayload {
  if (status === 'cancelled') return { code: 'CANCELLED', message: 'The job was cancelled.' }
  return {
    code: 'DATA_LOSS',
    message: `The job has ended as ${status}, and what it said at its end cannot be read any more.`,
    retryable: false,
  }
}

const GAP = 'Some of what the job said may be missing: the agent keeps it no longer.'

const TOO_MUCH: ArcpErrorPayload = {
  code: 'DATA_LOSS',
  message: 'The job has said more than is kept of it.',
  retryable: false,
}

const NO_SUBSCRIPTIONS: ArcpErrorPayload = {
  code: 'DATA_LOSS',
  message: 'The session has ended, and the agent does not let its jobs be followed in another one.',
  retryable: false,
}
