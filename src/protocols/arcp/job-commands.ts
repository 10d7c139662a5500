import type { Command, CommandResult } from '../command.ts'
import type { Sending } from './command-results.ts'
import { ACCEPTED, isPongOf, refusedAs, TOO_LATE, UNSUPPORTED } from './command-results.ts'
import { EMPTY_STATE } from './fold/arcp-state.ts'
import { jobIdOf } from './fold/job-id-of.ts'
import type { ActiveSession } from './link.ts'
import { readHandle } from './read/handle.ts'
import type { ArcpMessage } from './read/message.ts'
import { sendAnswer } from './send-answer.ts'
import { sendLeaseChange } from './send-lease-change.ts'

/** Commands about a job that was invoked: to end it, to interrupt it, to answer what it asks, to change what it is allowed. */
export async function sendJobCommand(
  sending: Sending,
  active: ActiveSession,
  command: Exclude<Command, { readonly type: 'begin' | 'say' }>,
): Promise<CommandResult> {
  if (command.type === 'answer') return sendAnswer(sending, active, command)
  if (command.type === 'lease') return sendLeaseChange(sending, active, command)
  return command.type === 'cancel' ? cancel(sending, active, command) : interrupt(sending, active, command)
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
  if (exchange.job(jobId)?.endedAt !== undefined) return TOO_LATE
  const message = writer.write('cancel', { target: 'job', target_id: jobId, reason: 'user_aborted' })
  return exchange.link.ask(active, [message], (answer) => cancelResult(answer, message.id, jobId), signal)
}

function acceptedBy(message: ArcpMessage, invokeId: string | undefined): string | undefined {
  if (invokeId === undefined || message.correlation_id !== invokeId) return undefined
  return jobIdOf(EMPTY_STATE, message)
}

/** The result of a cancel: an acceptance is not one, because the job works until it has ended. */
function cancelResult(message: ArcpMessage, id: string, jobId: string): CommandResult | undefined {
  const isAbout = message.correlation_id === id || message.job_id === jobId
  switch (message.type) {
    case 'cancel.refused': {
      if (!isAbout && message.payload.target_id !== jobId) return undefined
      return message.payload.reason === 'not_cancellable' ? UNSUPPORTED : TOO_LATE
    }
    case 'job.cancelled':
      return isAbout ? ACCEPTED : undefined
    case 'tool.result':
    case 'tool.error':
    case 'job.completed':
    case 'job.failed':
      return message.job_id === jobId ? TOO_LATE : undefined
    default:
      return refusedAs(message, id)
  }
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
