import { errorInit } from '../../base/agent-error.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import { notTheAgent, readCommandReply } from '../../wire/command-reply.ts'
import type { TransportAnswer } from '../../wire/transport.ts'
import type { Command, CommandResult } from '../../seam/command.ts'
import type { FieldError, PromptEnd } from '../../seam/prompt.ts'
import type { ControlName } from './handle.ts'
import { createCapError } from './errors.ts'
import { writeAnswer } from './presentation/prompt-answer.ts'
import { isRefusal } from '../../wire/http-errors.ts'
import { toHttpError } from './http-errors.ts'

/** Nothing is served there. */
const ABSENT: ReadonlySet<number> = new Set([405, 501])
const PROMPT_ENDS: readonly PromptEnd[] = ['answered', 'declined', 'cancelled', 'expired', 'withdrawn']
/** Ends of a run that a server reports from the log of the run, which then has nothing of the command. */
const LOGGED_ENDS: ReadonlySet<unknown> = new Set(['finished', 'cancelled', 'failed', 'interrupted'])

/** Control endpoints are beside the assist endpoint: `/v1/assist` has `/v1/runs/{request_id}/cancel`. */
export function controlUrl(assist: string, requestId: string, name: ControlName): string {
  return `${assist.slice(0, assist.lastIndexOf('/'))}/runs/${encodeURIComponent(requestId)}/${name}`
}

export function controlBody(command: Command): object {
  switch (command.type) {
    case 'answer':
      return { prompt_id: command.promptId, answer_id: command.answerId, answer: writeAnswer(command.answer) }
    case 'say':
      return { message_id: command.messageId, text: command.text }
    default:
      return {}
  }
}

/**
 * The result of a command, from the server's reply.
 *
 * @throws CapError when it is not known what became of the command, or the server refused it for good
 */
export async function toCommandResult(
  answer: TransportAnswer,
  name: ControlName,
  request: string,
): Promise<CommandResult> {
  const { status } = answer
  if (ABSENT.has(status)) return { result: 'unsupported' }
  const isSettled = status === 409 || status === 410
  if (answer.kind === 'body' && isRefusal(status) && !isSettled && status !== 422) {
    const error = await toHttpError(answer, request)
    if (status !== 404) throw error
    if (error.agentCode !== 'run_not_found') return { result: 'unsupported' }
    // The run is not there any more, or not there yet: a cancel may overtake the request it is about.
    if (name !== 'cancel') return { result: 'too-late' }
    throw createCapError({ ...errorInit(error), severity: 'TRANSIENT' })
  }
  const { body, fault } = await readCommandReply(answer)
  if (body === undefined) throw createCapError(fault)
  if (isSettled) return tooLate(body)
  if (status === 422) return { result: 'invalid', errors: fieldErrors(body) }
  if (body.result === 'accepted') return { result: 'accepted' }
  throw createCapError(notTheAgent(answer, JSON.stringify(body)))
}

function tooLate({ code, details }: JsonObject): CommandResult {
  const { state, ended, answer_id: answerId } = isJsonObject(details) ? details : {}
  const end = code === 'prompt_expired' ? 'expired' : PROMPT_ENDS.find((each) => each === state)
  if (end !== undefined) return { result: 'too-late', end, ...(typeof answerId === 'string' ? { answerId } : {}) }
  return LOGGED_ENDS.has(ended) ? { result: 'too-late', end: 'withdrawn' } : { result: 'too-late' }
}

function fieldErrors({ details }: JsonObject): readonly FieldError[] {
  if (!isJsonObject(details) || !Array.isArray(details.errors)) return []
  return details.errors.flatMap((error: unknown) =>
    isJsonObject(error) && typeof error.path === 'string' && typeof error.message === 'string'
      ? [{ path: error.path, message: error.message }]
      : [],
  )
}
