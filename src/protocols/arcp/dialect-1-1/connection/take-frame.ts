import { createArcpError } from '../../errors.ts'
import type { ArcpErrorPayload } from '../../schema/error.ts'
import type { JobRecord } from '../job/job-record.ts'
import { addAccepted, addJoined, addSaid, saidAfter } from '../job/job-record.ts'
import { said, saidMore, warned } from '../job/saying.ts'
import type { Invocation } from '../job/dialect-memory.ts'
import type { Frame, FrameOf, JobFrame } from '../read/frame.ts'
import { askHistory, openRecord, passOn, takeJobFrame, takeSubscribed } from './follow-job.ts'
import type { Passage } from './passage.ts'
import { tell } from './passage.ts'

/** What a message of the runtime means. @throws ArcpError when events are missing and the session has to be resumed */
export function takeFrame(passage: Passage, frame: Frame): void {
  switch (frame.type) {
    case 'session.ping':
      return void passage.send('session.pong', { ping_nonce: frame.payload.nonce, received_at: passage.now() })
    case 'session.pong': {
      const { ping_nonce: nonce, received_at: receivedAt } = frame.payload
      if (passage.isBarrier(nonce)) return
      return tell(passage, said('pong', { ack_for: nonce, received_at: receivedAt }), { correlation_id: nonce })
    }
    case 'session.error':
      return takeError(passage, frame.payload)
    case 'session.bye':
    case 'session.close':
    case 'session.closed':
      return evict(passage, { code: frame.type, message: frame.payload.reason ?? 'The agent has closed the session.' })
    case 'session.jobs': {
      const { current } = passage.requests
      if (current?.kind !== 'list') return
      passage.requests.done()
      if (current.take !== undefined) return current.take(frame.payload)
      const part = { type: 'unknown', name: frame.type, raw: undefined } as const
      return tell(passage, saidMore('jobs', { ...frame.payload }, part), { correlation_id: current.id })
    }
    case 'job.accepted':
      return takeAccepted(passage, frame)
    case 'job.cancelled':
      return takeCancelled(passage, frame)
    case 'job.subscribed':
      return takeSubscribed(passage, frame)
    case 'job.event':
    case 'job.result':
    case 'job.error':
      return takeCounted(passage, frame)
    case 'extension': {
      const { name, payload } = frame
      return tell(passage, saidMore(name, payload, { type: 'unknown', name, raw: payload }))
    }
    default:
    // What only a client says.
  }
}

function takeError(passage: Passage, error: ArcpErrorPayload): void {
  const { requests } = passage
  if (error.code === 'HEARTBEAT_LOST') return evict(passage, error)
  if (error.code === 'RESUME_WINDOW_EXPIRED') {
    passage.memory.session = undefined
    return evict(passage, error)
  }
  if (error.code === 'UNAUTHENTICATED')
    return tell(passage, said('session.unauthenticated', { reason: error.message, code: error.code }))
  if (requests.current !== undefined) return requests.refuse(error)
  tell(passage, said('log', { level: 'error', message: `${error.code}: ${error.message}` }))
}

function evict(passage: Passage, { code, message }: ArcpErrorPayload): void {
  tell(passage, said('session.evicted', { reason: code, message, allow_resume: true }))
}

/** A job that was submitted, or that another one has begun; also one of before, when its key was used again. */
function takeAccepted(passage: Passage, frame: FrameOf<'job.accepted'>): void {
  const { memory, session, requests } = passage
  const { payload } = frame
  const { job_id: jobId, trace_id: traceId = frame.trace_id } = payload
  const isChild = payload.parent_job_id !== undefined || payload.delegate_id !== undefined
  const current = !isChild && requests.current?.kind === 'submit' ? requests.current : undefined
  const traced = isChild ? undefined : invocationOf(passage, traceId)
  const asked = memory.invocations.get(current?.id ?? '')
  const invocation = traced !== undefined && traced.jobId === undefined ? traced : (asked ?? traced)
  const isAnswer = current !== undefined && invocation === asked
  if (isAnswer) requests.done()
  const known = memory.jobs.get(jobId)
  const record = known ?? openRecord(passage, jobId)
  if (known === undefined) passOn(passage, record, addAccepted(record, frame, invocation?.id, passage.now()))
  bind(passage, record, invocation, known !== undefined)
  passage.followed(jobId).isOwn = true
  // One of before: what it says goes to the session in which it was submitted.
  const isOld = isAnswer && traceId !== undefined && traceId !== current.traceId
  if (isOld && !record.isEnded && (known === undefined || record.home !== session.id)) askHistory(passage, record)
}

/** The job of a call is known. @param isJoined the job was there before */
function bind(passage: Passage, record: JobRecord, invocation: Invocation | undefined, isJoined: boolean): void {
  if (invocation === undefined || invocation.jobId === record.id) return
  invocation.jobId = record.id
  if (!record.isShown) {
    record.isShown = true
    for (const message of saidAfter(record, undefined)) passage.out(message)
  }
  if (isJoined) passOn(passage, record, addJoined(record, invocation.id, passage.now()))
}

function invocationOf({ memory }: Passage, traceId: string | undefined): Invocation | undefined {
  if (traceId === undefined) return undefined
  return [...memory.invocations.values()].find(({ traces }) => traces.includes(traceId))
}

function takeCancelled(passage: Passage, { job_id: jobId = '' }: FrameOf<'job.cancelled'>): void {
  const asked = passage.cancels.get(jobId)
  passage.cancels.delete(jobId)
  tell(passage, said('cancel.accepted', { target_id: jobId }), asked === undefined ? {} : { correlation_id: asked })
}

/** A message with a number: each counts once, and none is left out. */
function takeCounted(passage: Passage, frame: JobFrame): void {
  const { session, memory } = passage
  const { event_seq: seq = 0, job_id: jobId = '' } = frame
  if (seq <= session.lastSeq) return
  const isFirst = session.lastSeq === -1 && seq <= 1
  if (seq > session.lastSeq + 1 && !isFirst) takeGap(passage)
  session.lastSeq = seq
  if (frame.type === 'job.error' && isRefusal(passage, frame, jobId)) return
  const known = memory.jobs.get(jobId)
  if (known !== undefined) return takeJobFrame(passage, known, frame)
  // Its acceptance was lost with a connection: that is not said again.
  const invocation = invocationOf(passage, frame.trace_id)
  const record = openRecord(passage, jobId)
  passOn(passage, record, addAccepted(record, { payload: { job_id: jobId } }, invocation?.id, passage.now()))
  bind(passage, record, invocation, false)
  takeJobFrame(passage, record, frame)
}

/** Resumes the session, once, to get what is missing; where that has not helped, it is told. */
function takeGap(passage: Passage): void {
  const { session, memory } = passage
  if (session.gapAfter !== session.lastSeq) {
    session.gapAfter = session.lastSeq
    throw createArcpError(GAP)
  }
  tell(passage, warned(MISSING))
  for (const record of memory.jobs.values())
    if (!record.isEnded && record.home === session.id)
      passOn(passage, record, addSaid(record, [warned(MISSING)], passage.now()))
}

/** Whether an error of a job says that something about it was refused; the job itself goes on. */
function isRefusal(passage: Passage, { payload }: FrameOf<'job.error'>, jobId: string): boolean {
  const { requests, cancels, memory } = passage
  const { code } = payload
  const { current } = requests
  const cancelId = cancels.get(jobId)
  const isForeign = code === 'PERMISSION_DENIED' && !passage.followed(jobId).isOwn
  if (cancelId !== undefined && (isForeign || code === 'JOB_NOT_FOUND')) {
    cancels.delete(jobId)
    const reason = code === 'JOB_NOT_FOUND' ? 'not_found' : 'not_cancellable'
    tell(passage, said('cancel.refused', { target_id: jobId, reason }), { correlation_id: cancelId })
    return true
  }
  if (
    current?.kind === 'subscribe' &&
    current.id === jobId &&
    (code === 'JOB_NOT_FOUND' || code === 'PERMISSION_DENIED')
  ) {
    requests.refuse(payload)
    return true
  }
  if (code === 'DUPLICATE_KEY') {
    if (current?.kind === 'submit') joinExisting(passage, payload, jobId)
    return true
  }
  if (current?.kind !== 'submit' || memory.jobs.has(jobId)) return false
  requests.refuse(payload)
  return true
}

/** A key that was used before, for another input: the call is answered by the job that there is. */
function joinExisting(passage: Passage, { details }: FrameOf<'job.error'>['payload'], jobId: string): void {
  const { memory, requests, session } = passage
  const existing = typeof details?.existing_job_id === 'string' ? details.existing_job_id : jobId
  const invocation = memory.invocations.get(requests.current?.id ?? '')
  requests.done()
  const known = memory.jobs.get(existing)
  if (known !== undefined) {
    bind(passage, known, invocation, true)
    return known.isEnded || known.home === session.id ? undefined : askHistory(passage, known)
  }
  const record = openRecord(passage, existing)
  passOn(passage, record, addAccepted(record, { payload: { job_id: existing } }, invocation?.id, passage.now()))
  bind(passage, record, invocation, false)
  askHistory(passage, record)
}

const MISSING = 'Some events are missing, and the agent does not have them any more.'

const GAP = {
  kind: 'protocol',
  code: 'truncated',
  severity: 'TRANSIENT',
  message: 'The agent left out events. The session is resumed to get them.',
} as const
