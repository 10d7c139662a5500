import type { RunCommand, RunEndReason, RunReply } from '../event-log/event-log.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { ControlName } from '../../protocols/cap/handle.ts'
import { readAnswer } from '../../protocols/cap/presentation/prompt-answer.ts'
import { answerRequestSchema, sayRequestSchema } from '../../protocols/cap/presentation/prompt-schema.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { invalidBody } from './incoming-call.ts'

const RETRY_AFTER_SECONDS = 1

/** Ends after which the agent may still be working. */
const UNCONFIRMED_ENDS: readonly RunEndReason[] = ['unconfirmed', 'interrupted', 'expired']

/** What a control endpoint answers. @throws HttpRefusal for a command that was not accepted */
export function controlResponse(reply: RunReply, name: RunCommand['name']): Response {
  if (reply.result === 'accepted')
    return Response.json({ result: 'accepted' }, { headers: { 'cache-control': 'no-store' } })
  // A client takes a cancel that came too late for one that is confirmed.
  if (name === 'cancel' && reply.result === 'over' && UNCONFIRMED_ENDS.includes(reply.ended))
    throw cancelUnconfirmed(reply.ended)
  throw controlRefusal(reply)
}

/** The run is cancelled, and it is not known whether its agent has stopped. Clients of every version read 504 as unconfirmed. */
function cancelUnconfirmed(ended: RunEndReason): HttpRefusal {
  return new HttpRefusal({
    status: 504,
    code: 'cancel_unconfirmed',
    message: 'The agent has not confirmed that it has stopped. It may still be working.',
    details: { ended },
  })
}

/** No run has this id, or none of this caller. */
export function runNotFound(): HttpRefusal {
  return new HttpRefusal({
    status: 404,
    code: 'run_not_found',
    message: 'There is no run of this request id for this caller.',
  })
}

/** The log of this server carries no commands. */
export function controlUnsupported(): HttpRefusal {
  return new HttpRefusal({
    status: 501,
    code: 'control_unsupported',
    message: 'This server takes no commands for its runs: its event log carries none.',
  })
}

function controlRefusal(reply: Exclude<RunReply, { result: 'accepted' }>): HttpRefusal {
  switch (reply.result) {
    case 'settled': {
      const { state, answerId } = reply
      const details = { state, ...(answerId !== undefined && { answer_id: answerId }) }
      if (state === 'expired')
        return new HttpRefusal({ status: 410, code: 'prompt_expired', message: 'This prompt has expired.', details })
      return new HttpRefusal({
        status: 409,
        code: 'prompt_settled',
        message: 'This prompt has ended and takes no answer any more.',
        details,
      })
    }
    case 'unknown-prompt':
      return new HttpRefusal({
        status: 409,
        code: 'prompt_not_found',
        message: 'This run has no such prompt.',
      })
    case 'over':
      return new HttpRefusal({
        status: 409,
        code: 'run_over',
        message: 'This run has ended and takes no commands any more.',
        details: { ended: reply.ended },
      })
    case 'invalid':
      return new HttpRefusal({
        status: 422,
        code: 'invalid_answer',
        message: 'This cannot be accepted as it is. The prompt stays open.',
        details: { errors: reply.errors },
      })
    case 'too-large':
      return new HttpRefusal({
        status: 413,
        code: 'request_too_large',
        message: 'The run has no space for this text. Say less, or ask again.',
      })
    case 'failed':
      return new HttpRefusal({
        status: 500,
        code: 'internal_error',
        message: "The server failed to check this. The details are in the server's log.",
      })
    case 'unavailable':
      return new HttpRefusal({
        status: 503,
        code: 'run_unavailable',
        message: 'The run cannot be reached now. Send the same command again soon.',
        headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
      })
  }
}

/** Says with an answer which commands its run takes; nothing where it takes none. */
export function controlHeaders(names: readonly ControlName[] | undefined): Readonly<Record<string, string>> {
  return names === undefined || names.length === 0 ? {} : { 'cap-control': names.join(', ') }
}

/**
 * Reads the body of a POST on a control endpoint.
 *
 * @throws HttpRefusal 400, with the reason.
 */
export function readControlCall(name: ControlName, body: JsonObject): RunCommand {
  switch (name) {
    case 'cancel':
      return { name }
    case 'say': {
      const parsed = sayRequestSchema.safeParse(body)
      if (!parsed.success) throw invalidBody('message for a run', parsed.error.issues)
      const { message_id, text } = parsed.data
      return { name, messageId: idOf(message_id), text }
    }
    case 'answer': {
      const parsed = answerRequestSchema.safeParse(body)
      const answer = parsed.success ? readAnswer(parsed.data.answer) : undefined
      if (!parsed.success || answer === undefined) throw invalidBody('answer to a prompt', parsed.error?.issues ?? [])
      const { prompt_id, answer_id } = parsed.data
      return { name, promptId: idOf(prompt_id), answerId: idOf(answer_id), answer }
    }
  }
}

/** Ids of other clients need not be UUIDs. */
function idOf(id: string): string {
  return canonicalUuid(id) ?? id
}
