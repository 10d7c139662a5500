import { AgentError } from '../../base/agent-error.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { JsonSchema, Prompt } from '../../seam/prompt.ts'
import type { ChatInstance } from '../../state/chat.ts'
import { ACCEPTED } from '../../state/send-result.ts'
import { asksCredential } from '../schema-form/model/asks-credential.ts'

/** A question that any text answers. */
export interface FreeTextQuestion {
  readonly prompt: Prompt
  /** The one field of the form. Undefined: the text itself is the value. */
  readonly field: string | undefined
}

/** What a schema of plain text has: with anything else, such as a pattern, the form checks the value. */
const PLAIN = new Set(['type', 'title', 'description', 'examples', 'default', '$schema', '$id', '$comment'])
const OBJECT = new Set([...PLAIN, 'properties', 'required', 'additionalProperties'])

/**
 * The question that the composer can answer: the only prompt that waits, a form of one text without further rules. Prompts of consent,
 * and questions for a password or a key, are never among them.
 */
export function freeTextQuestion(prompts: readonly Prompt[]): FreeTextQuestion | undefined {
  const [prompt, ...others] = prompts
  if (prompt?.kind !== 'form' || prompt.state !== 'open' || others.length > 0) return undefined
  const { schema, subject, message } = prompt
  if (schema === undefined || subject !== undefined || asksCredential(message)) return undefined
  if (isPlainText(schema)) return { prompt, field: undefined }
  const { type, properties } = schema
  if (type !== 'object' || !isJsonObject(properties) || !hasOnly(schema, OBJECT)) return undefined
  const [entry, ...rest] = Object.entries(properties)
  if (entry === undefined || rest.length > 0) return undefined
  const [field, fieldSchema] = entry
  return isJsonObject(fieldSchema) && isPlainText(fieldSchema) && !asksCredential(field) ? { prompt, field } : undefined
}

function isPlainText(schema: JsonSchema): boolean {
  const { minLength = 0, ...rest } = schema
  // The composer sends no empty text.
  if (rest.type !== 'string' || (minLength !== 0 && minLength !== 1) || !hasOnly(rest, PLAIN)) return false
  return !asksCredential(...[rest.title, rest.description].filter((text) => typeof text === 'string'))
}

function hasOnly(schema: JsonSchema, keys: ReadonlySet<string>): boolean {
  return Object.keys(schema).every((key) => keys.has(key))
}

/** Sends a message as the answer to the question. One that the agent did not take is refused, so that its text is not lost. */
export function answerTo(
  chat: Pick<ChatInstance, 'answer'>,
  { prompt, field }: FreeTextQuestion,
): Pick<ChatInstance, 'sendMessage'> {
  return {
    async sendMessage(message) {
      const text = typeof message === 'string' ? message : message.text
      const value = field === undefined ? text : { [field]: text }
      const result = await chat.answer(prompt.id, { type: 'value', value })
      switch (result.status) {
        case 'refused':
          return result
        case 'too-late':
        case 'invalid':
          return { status: 'refused', error: notTaken(result.status) }
        default:
          // One that is unconfirmed is repeated at the question, under the same id.
          return ACCEPTED
      }
    },
  }
}

function notTaken(status: 'too-late' | 'invalid'): AgentError {
  const message =
    status === 'too-late' ? 'The question has ended, so the answer was not sent.' : 'The agent refused the answer.'
  return new AgentError({ kind: 'protocol', code: 'invalid_request', severity: 'FATAL', message })
}
