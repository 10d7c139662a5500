import type { Command, CommandResult } from '../../seam/command.ts'
import { type Sending, ACCEPTED, isPongOf, refusalOf, refusedAs, TOO_LATE, UNSUPPORTED } from './command-results.ts'
import { isUnconfirmedEnd, toProtocolError } from './errors.ts'
import { EMPTY_STATE, type ArcpLease, type ArcpPrompt } from './fold/arcp-state.ts'
import { jobIdOf } from './fold/fold-message.ts'
import type { ActiveSession } from './link.ts'
import { leftPlaces } from './ledger/job-index.ts'
import { readHandle, type AskedPrompt } from './read/handle.ts'
import type { ArcpMessage } from './read/message.ts'
import type { ArcpErrorPayload } from './schema/payloads.ts'
import { refreshSeconds } from './values/date-time.ts'
import { USER_REFUSED } from '../../base/tool-failures.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { FieldError, PromptAnswer } from '../../seam/prompt.ts'
import { GRANT, valueOf } from './presentation/job-prompt.ts'
import { OWN_NAME } from './values/vocabulary.ts'
import type { ArcpOutgoing, MessageWriter } from './write-message.ts'

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

type AnswerCommand = Extract<Command, { readonly type: 'answer' }>

/** What is needed of a prompt to answer it, from this page or, after a reload, from the handle. */
type Asked = ArcpPrompt | ({ readonly id: string; readonly request?: undefined } & AskedPrompt)

/**
 * Sends the answer to a question. The protocol has no word for an answer that was taken, only one for an answer that was refused: a
 * ping behind the answer tells that it was read.
 */
async function sendAnswer(
  { exchange, writer, signal }: Sending,
  active: ActiveSession,
  { promptId, answerId, answer, handle }: AnswerCommand,
): Promise<CommandResult> {
  const known = exchange.prompt(promptId)
  if (known !== undefined && known.state !== 'open' && known.state !== 'sent') return TOO_LATE
  const stored = readHandle(handle).prompts?.[promptId]
  const asked: Asked | undefined = known ?? (stored && { id: promptId, ...stored })
  if (asked === undefined) return TOO_LATE
  const at = new Date(exchange.date()).toISOString()
  const message = answerMessage(writer, asked, answer, at, exchange.answerMessageId(answerId, writer.id))
  if (message === undefined) return UNSUPPORTED
  exchange.note({ type: 'answer-sent', promptId })
  const ping = writer.write('ping', {})
  const told = await exchange.link.ask(
    active,
    [message, ping],
    (reply) => resultOf(reply, message.id, promptId, ping.id),
    signal,
  )
  if (told.result === 'accepted')
    exchange.note({ type: 'answer-told', promptId, state: isNo(answer, asked.kind) ? 'declined' : 'answered' })
  else if (told.result === 'invalid')
    exchange.note({ type: 'answer-told', promptId, state: 'open', errors: told.errors })
  else if (told.result === 'unsupported') exchange.note({ type: 'answer-told', promptId, state: 'open' })
  return told
}

function isNo(answer: PromptAnswer, kind: AskedPrompt['kind']): boolean {
  return answer.type !== 'value' && !(answer.type === 'option' && (kind === 'choice' || answer.optionId === GRANT))
}

/** The answer as a message; undefined where the protocol has none for it. */
function answerMessage(
  writer: MessageWriter,
  asked: Asked,
  answer: PromptAnswer,
  at: string,
  id: string,
): ArcpOutgoing | undefined {
  const members = { id, correlation_id: asked.id }
  const signed = { responded_by: OWN_NAME, responded_at: at }
  if (asked.kind === 'permission') {
    const { permission = '', resource = '', operation = '' } = asked.request ?? asked
    const subject = { permission, resource, operation }
    if (answer.type === 'value' || answer.type === 'done') return undefined
    if (answer.type === 'option' && answer.optionId === GRANT) {
      const seconds = leaseSeconds(answer.edits) ?? asked.request?.requested_lease_seconds
      return writer.write(
        'permission.grant',
        { ...subject, ...(seconds === undefined ? {} : { lease_seconds: seconds }) },
        members,
      )
    }
    const reason = (answer.type === 'decline' ? answer.reason : undefined) ?? USER_REFUSED
    return writer.write('permission.deny', { ...subject, reason }, members)
  }
  if (answer.type === 'decline' || answer.type === 'cancel') {
    const message = (answer.type === 'decline' ? answer.reason : undefined) ?? 'The user does not answer.'
    return writer.write('human.input.cancelled', { code: 'CANCELLED', message }, members)
  }
  if (asked.kind === 'choice') {
    if (answer.type !== 'option') return undefined
    return writer.write('human.choice.response', { choice_id: answer.optionId, ...signed }, members)
  }
  if (answer.type !== 'value') return undefined
  const value = valueOf(asked.request ?? { prompt: '' }, answer.value)
  return writer.write('human.input.response', { value, ...signed }, members)
}

/** For how long the user allows it: the `leaseSeconds` of the edits. */
function leaseSeconds(edits: unknown): number | undefined {
  const seconds = isJsonObject(edits) ? edits.leaseSeconds : undefined
  return typeof seconds === 'number' && seconds > 0 ? seconds : undefined
}

function resultOf(message: ArcpMessage, id: string, promptId: string, pingId: string): CommandResult | undefined {
  const refusal = refusalOf(message, id)
  if (refusal?.payload.code === 'INVALID_ARGUMENT') return { result: 'invalid', errors: fieldErrors(refusal.payload) }
  if (message.type === 'human.input.cancelled' && message.correlation_id === promptId) return TOO_LATE
  if (message.type === 'lease.granted' && (message.correlation_id === id || message.correlation_id === promptId))
    return ACCEPTED
  return refusedAs(message, id) ?? (isPongOf(message, pingId) ? ACCEPTED : undefined)
}

/** What was wrong with the values, where the runtime says it; else that the whole was refused. */
function fieldErrors({ details, message }: ArcpErrorPayload): FieldError[] {
  const errors = Array.isArray(details?.errors) ? details.errors.filter(isJsonObject) : []
  if (errors.length === 0) return [{ path: '', message }]
  return errors.map((error) => ({
    path: pointerOf(error.path),
    message: typeof error.message === 'string' ? error.message : message,
  }))
}

/** A JSON Pointer of a path: runtimes write pointers, dotted names and lists. */
function pointerOf(path: unknown): string {
  if (Array.isArray(path)) return path.map((step) => `/${escaped(String(step))}`).join('')
  if (typeof path !== 'string' || path === '' || path.startsWith('/')) return typeof path === 'string' ? path : ''
  return path
    .split('.')
    .map((step) => `/${escaped(step)}`)
    .join('')
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}
