import { USER_REFUSED } from '../../base/tool-failures.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { Command, CommandResult } from '../../seam/command.ts'
import type { FieldError, PromptAnswer } from '../../seam/prompt.ts'
import type { Sending } from './command-results.ts'
import { ACCEPTED, isPongOf, refusalOf, refusedAs, TOO_LATE, UNSUPPORTED } from './command-results.ts'
import type { ArcpPrompt } from './fold/arcp-state.ts'
import type { AskedPrompt } from './read/handle.ts'
import { readHandle } from './read/handle.ts'
import type { ActiveSession } from './link.ts'
import { GRANT, valueOf } from './presentation/job-prompt.ts'
import type { ArcpMessage } from './read/message.ts'
import type { ArcpErrorPayload } from './schema/error.ts'
import { OWN_NAME } from './values/message-type.ts'
import type { ArcpOutgoing, MessageWriter } from './write-message.ts'

type AnswerCommand = Extract<Command, { readonly type: 'answer' }>

/** What is needed of a prompt to answer it, from this page or, after a reload, from the handle. */
type Asked = ArcpPrompt | ({ readonly id: string; readonly request?: undefined } & AskedPrompt)

/**
 * Sends the answer to a question. The protocol has no word for an answer that was taken, only one for an answer that was refused: a
 * ping behind the answer tells that it was read.
 */
export async function sendAnswer(
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
