import { isString } from '../../../base/guards.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { AgUiMessage, AgUiToolCall } from '../schema/message.ts'
import { readContent } from './read-content.ts'
import type { Deviation } from './read-fault.ts'
import { ReadFault } from './read-fault.ts'

const ROLES: ReadonlySet<unknown> = new Set([
  'developer',
  'system',
  'user',
  'assistant',
  'tool',
  'reasoning',
  'activity',
])
const TEXTS = ['name', 'toolCallId', 'error', 'encryptedValue', 'activityType', 'subagentRunId'] as const

/**
 * A message of a snapshot or of a disk. Undefined for one of a role that is not known, which is left out.
 *
 * @throws ReadFault
 */
export function readMessage(value: unknown, deviate: Deviation): AgUiMessage | undefined {
  if (!isJsonObject(value)) throw new ReadFault('a message is not an object')
  const { id, role, content, toolCalls, metadata } = value
  if (!isString(id)) throw new ReadFault('a message has no id')
  if (!ROLES.has(role)) return undefined
  if (content === null) deviate('the content of a message is null')
  const texts = Object.fromEntries(
    TEXTS.flatMap((name) => {
      const text = value[name]
      return isString(text) ? [[name, text]] : []
    }),
  )
  return {
    id,
    // One of the roles above.
    role: role as AgUiMessage['role'],
    ...(content !== undefined && content !== null && { content: readContent(content, role === 'activity') }),
    ...(Array.isArray(toolCalls) && toolCalls.length > 0 && { toolCalls: toolCalls.map(readCall) }),
    ...texts,
    ...(isJsonObject(metadata) && { metadata }),
  }
}

function readCall(call: unknown): AgUiToolCall {
  const { id, function: tool, encryptedValue }: JsonObject = isJsonObject(call) ? call : {}
  const { name, arguments: input = '' }: JsonObject = isJsonObject(tool) ? tool : {}
  if (!isString(id) || !isString(name) || !isString(input)) throw new ReadFault('a message has a call that is none')
  return {
    id,
    type: 'function',
    function: { name, arguments: input },
    ...(isString(encryptedValue) && { encryptedValue }),
  }
}
