import { isJsonObject } from '../../base/json-object.ts'
import type { JsonSchema, Prompt } from '../../seam/prompt.ts'
import type { TaskStatusInfo } from './messages.ts'
import { partsText } from './artifact-parts.ts'

/** The one value of a question that asks for words. */
export const REPLY_KEY = 'reply'

/** What is asked for when the agent says it in words alone. */
const FREE_TEXT: JsonSchema = {
  type: 'object',
  properties: { [REPLY_KEY]: { type: 'string' } },
  required: [REPLY_KEY],
}

/** Name of the question that a status asks: the id of its message, or its time. */
export function questionId(taskId: string, { message, timestamp = 'question' }: TaskStatusInfo): string {
  return message?.messageId || `${taskId}/${timestamp}`
}

/** INPUT_REQUIRED: what the user is asked, answered with the next message. A part with a JSON Schema of an object makes it a form. */
export function inputPrompt(taskId: string, status: TaskStatusInfo): Prompt {
  const parts = status.message?.parts ?? []
  const schema = parts.map(({ data }) => data).find(isObjectSchema)
  return {
    id: questionId(taskId, status),
    streamId: taskId,
    kind: 'form',
    message: partsText(parts) || 'The agent needs more information to go on.',
    schema: schema ?? FREE_TEXT,
    onExpiry: 'unknown',
    group: taskId,
    answeredBy: 'next-run',
    state: 'open',
  }
}

/** AUTH_REQUIRED: the user signs in elsewhere, and the agent continues on its own. */
export function signInPrompt(taskId: string, status: TaskStatusInfo): Prompt {
  const parts = status.message?.parts ?? []
  return {
    id: questionId(taskId, status),
    streamId: taskId,
    kind: 'sign-in',
    message: partsText(parts) || 'The agent needs you to sign in.',
    url: parts.find(({ url }) => url !== undefined)?.url ?? parts.map(({ data }) => urlOf(data)).find(Boolean),
    onExpiry: 'unknown',
    answeredBy: 'command',
    state: 'open',
  }
}

function isObjectSchema(value: unknown): value is JsonSchema {
  return isJsonObject(value) && value.type === 'object' && isJsonObject(value.properties)
}

function urlOf(data: unknown): string | undefined {
  return isJsonObject(data) && typeof data.url === 'string' ? data.url : undefined
}
