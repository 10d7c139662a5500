import type { Command, CommandResult } from '../../seam/command.ts'
import { type Sending, ACCEPTED, isPongOf, refusalOf, refusedAs, TOO_LATE, UNSUPPORTED } from './command-results.ts'
import { isUnconfirmedEnd, toProtocolError } from './errors.ts'
import { EMPTY_STATE, type ArcpLease } from './fold/arcp-state.ts'
import { jobIdOf } from './fold/job-id-of.ts'
import type { ActiveSession } from './link.ts'
import { leftPlaces } from './ledger/run-handle.ts'
import { readHandle } from './read/handle.ts'
import type { ArcpMessage } from './read/message.ts'
import type { ArcpErrorPayload } from './schema/error.ts'
import { sendAnswer } from './send-answer.ts'
import { refreshSeconds } from './values/date-time.ts'

/** Commands about a job that was invoked: to end it, to interrupt it, to answer what it asks, to change what it is allowed. */
export async function sendJobCommand(
  sending: Sending,
  active: ActiveSession,
  command: Exclude<Command, { readonly type: 'begin' | 'say' }>,
): Promise<CommandResult> {
  followSessions(sending, active, command)
  if (command.type === 'answer') return sendAnswer(sending, active, command)
  if (command.type === 'lease') return sendLeaseChange(sending, active, command)
  return command.type === 'cancel' ? cancel(sending, active, command) : interrupt(sending, active, command)
}

/**
 * Resumes the sessions of a job that no run reads any more: an anonymous session belongs to the client that resumes it, and a runtime takes
 * commands about its jobs from nobody else.
 */
function followSessions({ exchange, resume }: Sending, active: ActiveSession, { requestId, handle }: Command): void {
  const stored = readHandle(handle)
  const job = exchange.job(exchange.jobOf(requestId) ?? stored.jobs?.[0])
  if (job?.endedAt !== undefined) return
  const places = new Map(leftPlaces(stored))
  if (job?.sessionId !== undefined) places.set(job.sessionId, job.lastMessageId)
  for (const [sessionId, after] of places) if (!active.followed.has(sessionId)) resume(active, sessionId, after)
}

async function cancel(
  { exchange, writer, signal }: Sending,
  active: ActiveSession,
  { requestId, handle }: Command,
): Promise<CommandResult> {
  const { jobs = [], invoke } = readHandle(handle)
  const known = exchange.jobOf(requestId) ?? jobs[0]
  // A cancel may overtake the acceptance of its job.
  const jobId = known ?? (await exchange.link.ask(active, [], (message) => acceptedBy(message, invoke), signal))
  const job = exchange.job(jobId)
  if (job?.endedAt !== undefined) return endedWith(job.error)
  const message = writer.write('cancel', { target: 'job', target_id: jobId, reason: 'user_aborted' })
  return exchange.link.ask(active, [message], (answer) => cancelResult(answer, message.id, jobId), signal)
}

function acceptedBy(message: ArcpMessage, invokeId: string | undefined): string | undefined {
  if (invokeId === undefined || message.correlation_id !== invokeId) return undefined
  return jobIdOf(EMPTY_STATE, message)
}

/**
 * The result of a cancel: an acceptance is not one, because the job works until it has ended.
 *
 * @throws ArcpError where the job may still be working: the runtime does not know it, or does not know what its tool does
 */
function cancelResult(message: ArcpMessage, id: string, jobId: string): CommandResult | undefined {
  const isAbout = message.correlation_id === id || message.job_id === jobId
  switch (message.type) {
    case 'cancel.refused': {
      if (!isAbout && message.payload.target_id !== jobId) return undefined
      const { reason } = message.payload
      if (reason === 'already_terminal') return TOO_LATE
      if (reason === 'not_cancellable') return UNSUPPORTED
      throw toProtocolError({ code: reason.toUpperCase(), message: `The runtime refused the cancel: ${reason}.` })
    }
    case 'job.cancelled':
      return isAbout ? ACCEPTED : undefined
    case 'tool.result':
    case 'tool.error':
    case 'job.completed':
      return message.job_id === jobId ? TOO_LATE : undefined
    case 'job.failed':
      return message.job_id === jobId ? endedWith(message.payload) : undefined
    default: {
      // A runtime that does not know the job does not know whether another process works on it.
      const refusal = refusalOf(message, id)
      if (refusal?.payload.code === 'NOT_FOUND') throw toProtocolError(refusal.payload)
      return refusedAs(message, id)
    }
  }
}

/** The result of a cancel of a job that has ended. @throws ArcpError where its tool may still be working */
function endedWith(error: ArcpErrorPayload | undefined): CommandResult {
  if (error !== undefined && isUnconfirmedEnd(error.code)) throw toProtocolError(error)
  return TOO_LATE
}

async function interrupt(
  { exchange, writer, signal }: Sending,
  active: ActiveSession,
  { requestId, handle }: Command,
): Promise<CommandResult> {
  const jobId = exchange.jobOf(requestId) ?? readHandle(handle).jobs?.[0]
  if (active.capabilities.interrupt !== true || jobId === undefined) return UNSUPPORTED
  const message = writer.write('interrupt', { target: 'job', target_id: jobId })
  const ping = writer.write('ping', {})
  return exchange.link.ask(
    active,
    [message, ping],
    (answer) => refusedAs(answer, message.id) ?? (isPongOf(answer, ping.id) ? ACCEPTED : undefined),
    signal,
  )
}

type LeaseCommand = Extract<Command, { readonly type: 'lease' }>

/**
 * Asks for more time of a lease, or gives it back. The RFC has no word for the latter: runtimes that know it read `lease.revoked` from
 * a client as well and say the same, others refuse it. The reply to a ping after the request marks the end of the messages.
 */
async function sendLeaseChange(
  { exchange, writer, signal }: Sending,
  active: ActiveSession,
  { leaseId, changeId, change }: LeaseCommand,
): Promise<CommandResult> {
  const lease = exchange.lease(leaseId)
  // Of a lease of another page nothing is known but its id.
  if (lease?.state === 'revoked') return TOO_LATE
  const now = exchange.date() - exchange.offsetMs
  const members = { id: exchange.answerMessageId(changeId, writer.id) }
  const message =
    change.type === 'extend'
      ? writer.write('lease.refresh', { lease_id: leaseId, requested_seconds: seconds(lease, change.ms, now) }, members)
      : writer.write('lease.revoked', { lease_id: leaseId, reason: 'The user took it back.' }, members)
  const ping = writer.write('ping', {})
  const isDone = change.type === 'extend' ? isExtended : isRevoked
  return exchange.link.ask(
    active,
    [message, ping],
    (reply) => {
      if (isDone(reply, leaseId)) return ACCEPTED
      if (isRevoked(reply, leaseId)) return TOO_LATE
      // There was no reply: its state is unchanged.
      return refusedAs(reply, message.id) ?? (isPongOf(reply, ping.id) ? UNSUPPORTED : undefined)
    },
    signal,
  )
}

function seconds(lease: ArcpLease | undefined, ms: number, now: number): number {
  return lease === undefined ? Math.ceil(ms / 1000) : refreshSeconds(lease.expiresAt, ms, now)
}

function isExtended(message: ArcpMessage, leaseId: string): boolean {
  return message.type === 'lease.extended' && message.payload.lease_id === leaseId
}

function isRevoked(message: ArcpMessage, leaseId: string): boolean {
  return message.type === 'lease.revoked' && message.payload.lease_id === leaseId
}
