import { isString } from '../../../base/guards.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { AgUiMessage, AgUiToolCall } from '../schema/message.ts'
import { contentText } from '../schema/message.ts'
import { readContent } from './read-content.ts'
import type { Deviation } from './read-fault.ts'
import { ReadFault } from './read-fault.ts'
import { readParts } from './read-parts.ts'

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
  if (role === 'tool' && !isString(value['toolCallId'])) throw new ReadFault('a result has no toolCallId')
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
    ...contentOf(role, content ?? undefined, deviate),
    ...(Array.isArray(toolCalls) && toolCalls.length > 0 && { toolCalls: toolCalls.map(readCall) }),
    ...texts,
    ...(isJsonObject(metadata) && { metadata }),
  }
}

/** Servers refuse a thread in which a content is missing, or is parts where it has to be text. */
function contentOf(role: unknown, content: unknown, deviate: Deviation): Pick<AgUiMessage, 'content'> {
  if (content === undefined) {
    if (role === 'assistant' || role === 'activity') return {}
    deviate('a message has no content')
    return { content: '' }
  }
  const own =
    Array.isArray(content) && role !== 'activity' ? readParts(content) : readContent(content, role === 'activity')
  if (!Array.isArray(own) || role === 'user' || role === 'tool') return { content: own }
  deviate('the content of a message is parts')
  return { content: contentText(own) }
}

function readCall(call: unknown): AgUiToolCall {
  const { id, function: tool, encryptedValue, metadata }: JsonObject = isJsonObject(call) ? call : {}
  const { name, arguments: input = '' }: JsonObject = isJsonObject(tool) ? tool : {}
  if (!isString(id) || !isString(name) || !isString(input)) throw new ReadFault('a message has a call that is none')
  return {
    id,
    type: 'function',
    function: { name, arguments: input },
    ...(isString(encryptedValue) && { encryptedValue }),
    ...(isJsonObject(metadata) && { metadata }),
  }
}
