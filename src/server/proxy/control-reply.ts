import { isJsonObject } from '../../base/json-object.ts'
import { CONTROL_NAMES, type ControlName } from '../../protocols/cap/handle.ts'
import type { Command } from '../../protocols/command.ts'
import type { FieldError, PromptEnd } from '../../protocols/prompt.ts'
import type { RunCommand, RunEndReason, RunReply } from '../event-log/run-command.ts'
import { runNotFound } from '../http/control-response.ts'
import { HttpRefusal } from '../http/http-refusal.ts'
import { refused } from '../upstream/upstream-failure.ts'

/** Statuses outside of 2xx that say what became of a command. The others are failures of the upstream. */
export const ANSWERS_COMMANDS: ReadonlySet<number> = new Set([404, 405, 409, 410, 413, 422, 501, 504])

/** Statuses that mean something only with the body of the agent. */
const NEEDS_BODY: ReadonlySet<number> = new Set([409, 410, 422])

const PROMPT_ENDS: readonly PromptEnd[] = ['answered', 'declined', 'cancelled', 'expired', 'withdrawn']
const RUN_ENDS: readonly RunEndReason[] = ['finished', 'cancelled', 'failed', 'unconfirmed', 'interrupted', 'expired']
/** Bounds for what an agent writes about the answer of its user. */
const MOST_ERRORS = 100
const LONGEST_TEXT = 1_000

/** Commands of a list that this library knows, in its own order. */
export function knownControl(names: readonly unknown[] | undefined): readonly ControlName[] {
  return CONTROL_NAMES.filter((name) => names?.includes(name))
}

export function toCommand(command: RunCommand, requestId: string): Command {
  switch (command.name) {
    case 'cancel':
      return { type: 'cancel', requestId }
    case 'say':
      return { type: 'say', requestId, messageId: command.messageId, text: command.text }
    case 'answer': {
      const { promptId, answerId, answer } = command
      return { type: 'answer', requestId, promptId, answerId, answer }
    }
  }
}

/**
 * What an upstream says of a command, read again so that nothing that it says about itself is passed on. What is wrong with an answer is for
 * the user, and does.
 *
 * @param body JSON; undefined for anything else
 * @throws HttpRefusal 404 where the upstream knows no such run, 501 where it takes no such command
 * @throws UpstreamFailure where something other than an agent answered
 */
export function toRunReply(status: number, body: unknown): RunReply {
  const { code, details, result } = isJsonObject(body) ? body : {}
  // A page that something else put in between says nothing of the command.
  if (!isJsonObject(body) && NEEDS_BODY.has(status)) return { result: 'unavailable' }
  const more = isJsonObject(details) ? details : {}
  const answerId = typeof more['answer_id'] === 'string' ? more['answer_id'].slice(0, LONGEST_TEXT) : undefined
  switch (status) {
    case 404:
      throw code === 'run_not_found' ? runNotFound() : unsupported()
    case 405:
    case 501:
      throw unsupported()
    case 409: {
      if (code === 'prompt_not_found') return { result: 'unknown-prompt' }
      const state = PROMPT_ENDS.find((each) => each === more['state'])
      if (state !== undefined) return { result: 'settled', state, answerId }
      // A server that does not say how its run ended is like one that no longer knows.
      return { result: 'over', ended: RUN_ENDS.find((each) => each === more['ended']) ?? 'expired' }
    }
    case 410:
      return { result: 'settled', state: 'expired', answerId }
    case 413:
      return { result: 'too-large' }
    case 422:
      return { result: 'invalid', errors: fieldErrors(more['errors']) }
    case 504:
      if (code !== 'cancel_unconfirmed') throw refused(status, undefined)
      return { result: 'over', ended: 'unconfirmed' }
    default:
      return { result: result === 'accepted' ? 'accepted' : 'unavailable' }
  }
}

function fieldErrors(errors: unknown): readonly FieldError[] {
  if (!Array.isArray(errors)) return []
  return errors.slice(0, MOST_ERRORS).flatMap((error: unknown) => {
    if (!isJsonObject(error)) return []
    const { path, message } = error
    if (typeof path !== 'string' || typeof message !== 'string') return []
    return [{ path: path.slice(0, LONGEST_TEXT), message: message.slice(0, LONGEST_TEXT) }]
  })
}

function unsupported(): HttpRefusal {
  return new HttpRefusal({
    status: 501,
    code: 'control_unsupported',
    message: 'The agent behind this server takes no such command.',
  })
}
