import { createArcpError } from '../../errors.ts'
import type { ArcpErrorPayload } from '../../schema/payloads.ts'
import { type JobRecord, addAccepted, addJoined, addSaid, saidAfter, type Invocation } from './job-record.ts'
import { said, saidMore, warned } from './translate-event.ts'
import type { Frame, FrameOf, JobFrame } from '../frame/read-frame.ts'
import { askHistory, openRecord, passOn, takeJobFrame, takeSubscribed } from './follow-job.ts'
import type { GatewayConnection } from './gateway-connection.ts'
import { tell } from './gateway-connection.ts'

/** What a message of the runtime means. @throws ArcpError when events are missing and the session has to be resumed */
export function takeFrame(gateway: GatewayConnection, frame: Frame): void {
  switch (frame.type) {
    case 'session.ping':
      return void gateway.send('session.pong', { ping_nonce: frame.payload.nonce, received_at: gateway.now() })
    case 'session.pong': {
      const { ping_nonce: nonce, received_at: receivedAt } = frame.payload
      if (gateway.isBarrier(nonce)) return
      return tell(gateway, said('pong', { ack_for: nonce, received_at: receivedAt }), { correlation_id: nonce })
    }
    case 'session.error':
      return takeError(gateway, frame.payload)
    case 'session.bye':
    case 'session.close':
    case 'session.closed':
      return evict(gateway, { code: frame.type, message: frame.payload.reason ?? 'The agent has closed the session.' })
    case 'session.jobs': {
      const { current } = gateway.requests
      if (current?.kind !== 'list') return
      gateway.requests.done()
      if (current.take !== undefined) return current.take(frame.payload)
      const part = { type: 'unknown', name: frame.type, raw: undefined } as const
      return tell(gateway, saidMore('jobs', { ...frame.payload }, part), { correlation_id: current.id })
    }
    case 'job.accepted':
      return takeAccepted(gateway, frame)
    case 'job.cancelled':
      return takeCancelled(gateway, frame)
    case 'job.subscribed':
      return takeSubscribed(gateway, frame)
    case 'job.event':
    case 'job.result':
    case 'job.error':
      return takeCounted(gateway, frame)
    case 'extension': {
      const { name, payload } = frame
      return tell(gateway, saidMore(name, payload, { type: 'unknown', name, raw: payload }))
    }
    default:
    // What only a client says.
  }
}

function takeError(gateway: GatewayConnection, error: ArcpErrorPayload): void {
  const { requests } = gateway
  if (error.code === 'HEARTBEAT_LOST') return evict(gateway, error)
  if (error.code === 'RESUME_WINDOW_EXPIRED') {
    gateway.memory.session = undefined
    return evict(gateway, error)
  }
  if (error.code === 'UNAUTHENTICATED')
    return tell(gateway, said('session.unauthenticated', { reason: error.message, code: error.code }))
  if (requests.current !== undefined) return requests.refuse(error)
  tell(gateway, said('log', { level: 'error', message: `${error.code}: ${error.message}` }))
}

function evict(gateway: GatewayConnection, { code, message }: ArcpErrorPayload): void {
  tell(gateway, said('session.evicted', { reason: code, message, allow_resume: true }))
}

/** A job that was submitted, or that another one has begun; also one of before, when its key was used again. */
function takeAccepted(gateway: GatewayConnection, frame: FrameOf<'job.accepted'>): void {
  const { memory, session, requests } = gateway
  const { payload } = frame
  const { job_id: jobId, trace_id: traceId = frame.trace_id } = payload
  const isChild = payload.parent_job_id !== undefined || payload.delegate_id !== undefined
  const current = !isChild && requests.current?.kind === 'submit' ? requests.current : undefined
  const traced = isChild ? undefined : invocationOf(gateway, traceId)
  const asked = memory.invocations.get(current?.id ?? '')
  const invocation = traced !== undefined && traced.jobId === undefined ? traced : (asked ?? traced)
  const isAnswer = current !== undefined && invocation === asked
  if (isAnswer) requests.done()
  const known = memory.jobs.get(jobId)
  const record = known ?? openRecord(gateway, jobId)
  if (known === undefined) passOn(gateway, record, addAccepted(record, frame, invocation?.id, gateway.now()))
  bind(gateway, record, invocation, known !== undefined)
  gateway.followed(jobId).isOwn = true
  // One of before: what it says goes to the session in which it was submitted.
  const isOld = isAnswer && traceId !== undefined && traceId !== current.traceId
  if (isOld && !record.isEnded && (known === undefined || record.home !== session.id)) askHistory(gateway, record)
}

/** The job of a call is known. @param isJoined the job was there before */
function bind(
  gateway: GatewayConnection,
  record: JobRecord,
  invocation: Invocation | undefined,
  isJoined: boolean,
): void {
  if (invocation === undefined || invocation.jobId === record.id) return
  invocation.jobId = record.id
  if (!record.isShown) {
    record.isShown = true
    for (const message of saidAfter(record, undefined)) gateway.out(message)
  }
  if (isJoined) passOn(gateway, record, addJoined(record, invocation.id, gateway.now()))
}

function invocationOf({ memory }: GatewayConnection, traceId: string | undefined): Invocation | undefined {
  if (traceId === undefined) return undefined
  return [...memory.invocations.values()].find(({ traces }) => traces.includes(traceId))
}

function takeCancelled(gateway: GatewayConnection, { job_id: jobId = '' }: FrameOf<'job.cancelled'>): void {
  const asked = gateway.cancels.get(jobId)
  gateway.cancels.delete(jobId)
  tell(gateway, said('cancel.accepted', { target_id: jobId }), asked === undefined ? {} : { correlation_id: asked })
}

/** A message with a number: each counts once, and none is left out. */
function takeCounted(gateway: GatewayConnection, frame: JobFrame): void {
  const { session, memory } = gateway
  const { event_seq: seq = 0, job_id: jobId = '' } = frame
  if (seq <= session.lastSeq) return
  const isFirst = session.lastSeq === -1 && seq <= 1
  if (seq > session.lastSeq + 1 && !isFirst) takeGap(gateway)
  session.lastSeq = seq
  if (frame.type === 'job.error' && isRefusal(gateway, frame, jobId)) return
  const known = memory.jobs.get(jobId)
  if (known !== undefined) return takeJobFrame(gateway, known, frame)
  // Its acceptance was lost with a connection and is not repeated.
  const invocation = invocationOf(gateway, frame.trace_id)
  const record = openRecord(gateway, jobId)
  passOn(gateway, record, addAccepted(record, { payload: { job_id: jobId } }, invocation?.id, gateway.now()))
  bind(gateway, record, invocation, false)
  takeJobFrame(gateway, record, frame)
}

/** Resumes the session, once, to get missing events; if that fails, the gap is reported. */
function takeGap(gateway: GatewayConnection): void {
  const { session, memory } = gateway
  if (session.gapAfter !== session.lastSeq) {
    session.gapAfter = session.lastSeq
    throw createArcpError(GAP)
  }
  tell(gateway, warned(MISSING))
  for (const record of memory.jobs.values())
    if (!record.isEnded && record.home === session.id)
      passOn(gateway, record, addSaid(record, [warned(MISSING)], gateway.now()))
}

/** Whether an error of a job says that something about it was refused; the job itself continues. */
function isRefusal(gateway: GatewayConnection, { payload }: FrameOf<'job.error'>, jobId: string): boolean {
  const { requests, cancels, memory } = gateway
  const { code } = payload
  const { current } = requests
  const cancelId = cancels.get(jobId)
  const isForeign = code === 'PERMISSION_DENIED' && !gateway.followed(jobId).isOwn
  if (cancelId !== undefined && (isForeign || code === 'JOB_NOT_FOUND')) {
    cancels.delete(jobId)
    const reason = code === 'JOB_NOT_FOUND' ? 'not_found' : 'not_cancellable'
    tell(gateway, said('cancel.refused', { target_id: jobId, reason }), { correlation_id: cancelId })
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
    if (current?.kind === 'submit') joinExisting(gateway, payload, jobId)
    return true
  }
  if (current?.kind !== 'submit' || memory.jobs.has(jobId)) return false
  requests.refuse(payload)
  return true
}

/** A key that was used before, for another input: the call is answered by the job that there is. */
function joinExisting(gateway: GatewayConnection, { details }: FrameOf<'job.error'>['payload'], jobId: string): void {
  const { memory, requests, session } = gateway
  const existing = typeof details?.existing_job_id === 'string' ? details.existing_job_id : jobId
  const invocation = memory.invocations.get(requests.current?.id ?? '')
  requests.done()
  const known = memory.jobs.get(existing)
  if (known !== undefined) {
    bind(gateway, known, invocation, true)
    return known.isEnded || known.home === session.id ? undefined : askHistory(gateway, known)
  }
  const record = openRecord(gateway, existing)
  passOn(gateway, record, addAccepted(record, { payload: { job_id: existing } }, invocation?.id, gateway.now()))
  bind(gateway, record, invocation, false)
  askHistory(gateway, record)
}

const MISSING = 'Some events are missing, and the agent does not have them any more.'

const GAP = {
  kind: 'protocol',
  code: 'truncated',
  severity: 'TRANSIENT',
  message: 'The agent left out events. The session is resumed to get them.',
} as const
