import type { ControlName } from '../../protocols/cap/handle.ts'
import { readAnswer } from '../../protocols/cap/presentation/prompt-answer.ts'
import { answerRequestSchema, sayRequestSchema } from '../../protocols/cap/presentation/prompt-schema.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import type { RunCommand } from '../event-log/run-command.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { invalidBody } from './read-json-body.ts'

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
