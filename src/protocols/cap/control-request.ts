import { parseBoundedJson } from '../../base/bounded-json.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { BodyAnswer } from '../../wire/transport.ts'
import type { Command, CommandResult } from '../command.ts'
import type { FieldError } from '../prompt.ts'
import type { ControlName } from './handle.ts'
import { errorInit } from '../../base/agent-error.ts'
import { createCapError } from './errors.ts'
import { writeAnswer } from './presentation/prompt-answer.ts'
import { isRefusal } from '../../wire/http-errors.ts'
import { toHttpError } from './http-errors.ts'

const MOST_RESULT_BYTES = 100_000
/** The run, the prompt or the answer is gone or settled. */
const TOO_LATE: ReadonlySet<number> = new Set([409, 410])
/** Nothing is served there. */
const ABSENT: ReadonlySet<number> = new Set([405, 501])

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
 * What the server said about a command.
 *
 * @throws CapError when it is not known what became of it, or the server refused it for good
 */
export async function toCommandResult(answer: BodyAnswer, name: ControlName, request: string): Promise<CommandResult> {
  const { status } = answer
  if (!isRefusal(status)) return { result: 'accepted' }
  if (TOO_LATE.has(status)) return { result: 'too-late' }
  if (ABSENT.has(status)) return { result: 'unsupported' }
  if (status === 422) return { result: 'invalid', errors: await readFieldErrors(answer) }
  const error = await toHttpError(answer, request)
  if (status !== 404) throw error
  if (error.agentCode !== 'run_not_found') return { result: 'unsupported' }
  // The run is not there any more, or not there yet: a cancel may overtake the request it is about.
  if (name !== 'cancel') return { result: 'too-late' }
  throw createCapError({ ...errorInit(error), severity: 'TRANSIENT' })
}

async function readFieldErrors(answer: BodyAnswer): Promise<readonly FieldError[]> {
  try {
    const body = parseBoundedJson(await answer.text({ maxBytes: MOST_RESULT_BYTES }))
    const details = isJsonObject(body) && isJsonObject(body.details) ? body.details : {}
    if (!Array.isArray(details.errors)) return []
    return details.errors.flatMap((error: unknown) =>
      isJsonObject(error) && typeof error.path === 'string' && typeof error.message === 'string'
        ? [{ path: error.path, message: error.message }]
        : [],
    )
  } catch {
    return []
  }
}
