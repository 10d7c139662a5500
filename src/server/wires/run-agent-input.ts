import * as z from 'zod/mini'
import type { JsonObject } from '../../base/json-object.ts'
import { jsonObject, optional, text } from '../../protocols/cap/schema/json-schemas.ts'
import { invalidBody } from '../http/read-json-body.ts'

const list = <Item extends z.ZodMiniType>(item: Item) => z.array(item, 'must be an array')

const toolCall = z.object({ id: text, function: z.object({ name: text, arguments: text }, 'must be an object') })
/** Parts are open to types of later versions; only text is read of them. */
const part = z.union(
  [z.object({ type: z.literal('text'), text }), z.object({ type: text.check(z.refine((type) => type !== 'text')) })],
  'must be a content part with a type, and a text part with a text',
)
const parts = z.union([text, list(part)], 'must be a string or an array of content parts')

/** The members of a message, by its role. */
const MESSAGES: Readonly<Record<string, z.ZodMiniType>> = {
  developer: z.object({ id: text, content: text }),
  system: z.object({ id: text, content: text }),
  user: z.object({ id: text, content: parts }),
  assistant: z.object({ id: text, content: optional(text), toolCalls: optional(list(toolCall)) }),
  tool: z.object({ id: text, content: parts, toolCallId: text }),
  reasoning: z.object({ id: text, content: text }),
  activity: z.object({ id: text, content: jsonObject }),
}

/** One of a role of a later version. */
const anyMessage = z.object({ id: text, role: text })

const input = z.object({
  threadId: text,
  runId: text,
  parentRunId: optional(text),
  messages: list(jsonObject),
  tools: optional(list(z.object({ name: text, description: text }))),
  context: optional(list(z.object({ description: text, value: text }))),
  resume: optional(
    list(
      z.object({
        interruptId: text,
        status: z.enum(['resolved', 'cancelled'], 'must be "resolved" or "cancelled"'),
        payload: z.optional(z.unknown()),
      }),
    ),
  ),
})

/** What is read of the body of an AG-UI run. */
export interface RunAgentInput {
  readonly threadId: string
  readonly runId: string
  /** Those with a role of this version. */
  readonly messages: readonly JsonObject[]
  readonly resume: readonly JsonObject[]
}

/**
 * Reads the body of an AG-UI run (AG-UI 1.0, RunAgentInput). Messages of unknown roles are left out.
 *
 * @throws HttpRefusal 400 that names the member
 */
export function readRunAgentInput(body: JsonObject): RunAgentInput {
  const read = input.safeParse(body)
  if (!read.success) throw invalidBody(NAME, read.error.issues)
  const { threadId, runId, resume, messages } = read.data
  const known = messages.filter((message, at) => {
    const role = text.safeParse(message['role']).data ?? ''
    const schema = Object.hasOwn(MESSAGES, role) ? MESSAGES[role] : anyMessage
    const { error } = schema?.safeParse(message) ?? {}
    if (error === undefined) return schema !== anyMessage
    const issues = error.issues.map((issue) => ({ ...issue, path: ['messages', at, ...issue.path] }))
    throw invalidBody(NAME, issues)
  })
  return { threadId, runId, messages: known, resume: resume ?? [] }
}

const NAME = 'RunAgentInput of AG-UI'
