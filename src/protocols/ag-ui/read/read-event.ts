import { parseBoundedJson } from '../../../base/bounded-json.ts'
import { isAnything, isBoolean, isString } from '../../../base/guards.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { Usage } from '../../usage.ts'
import type { AgUiEvent, JsonPatch } from '../schema/event.ts'
import type { Deviation } from './read-fault.ts'
import { ReadFault } from './read-fault.ts'
import { readContent, readMessage } from './read-message.ts'
import { readOutcome } from './read-outcome.ts'

/** What a member is, wherever it is. One that is not here is a string. */
const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  messages: Array.isArray,
  patch: Array.isArray,
  usage: Array.isArray,
  replace: isBoolean,
  metadata: isJsonObject,
  snapshot: isAnything,
  value: isAnything,
  event: isAnything,
  result: isAnything,
  outcome: isAnything,
  content: isAnything,
}
/** Members whose null is a value. Elsewhere older servers write null for one that is absent. */
const NULLABLE = /^(?:snapshot|value|event|result)$/

const TEXT = 'messageId delta'
/** The members of each type; a question mark is behind those that may be absent, a tilde behind those that are absent where they must not be. */
const EVENTS: Readonly<Record<string, string>> = {
  RUN_STARTED: 'threadId~ runId~ parentRunId?',
  RUN_FINISHED: 'threadId~ runId~ result? usage?',
  RUN_ERROR: 'message code?',
  STEP_STARTED: 'stepName',
  STEP_FINISHED: 'stepName',
  TEXT_MESSAGE_START: 'messageId role?',
  TEXT_MESSAGE_CONTENT: TEXT,
  TEXT_MESSAGE_END: 'messageId',
  TEXT_MESSAGE_CHUNK: 'messageId? role? delta?',
  TOOL_CALL_START: 'toolCallId toolCallName parentMessageId?',
  TOOL_CALL_ARGS: 'toolCallId delta',
  TOOL_CALL_END: 'toolCallId',
  TOOL_CALL_CHUNK: 'toolCallId? toolCallName? parentMessageId? delta?',
  TOOL_CALL_RESULT: 'messageId toolCallId content',
  REASONING_START: 'messageId',
  REASONING_END: 'messageId',
  REASONING_MESSAGE_START: 'messageId role?',
  REASONING_MESSAGE_CONTENT: TEXT,
  REASONING_MESSAGE_END: 'messageId',
  REASONING_MESSAGE_CHUNK: 'messageId? delta?',
  REASONING_ENCRYPTED_VALUE: 'subtype entityId encryptedValue',
  STATE_SNAPSHOT: 'snapshot',
  STATE_DELTA: 'delta',
  MESSAGES_SNAPSHOT: 'messages',
  ACTIVITY_SNAPSHOT: 'messageId activityType content replace?',
  ACTIVITY_DELTA: 'messageId patch',
  SUBAGENT_STARTED: 'subagentRunId name description? parentSubagentRunId?',
  SUBAGENT_FINISHED: 'subagentRunId outcome?',
  SUBAGENT_ERROR: 'subagentRunId message',
  RAW: '',
  CUSTOM: 'name value',
}
const COMMON = 'subagentRunId? metadata?'
const OPERATIONS: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test'])
/** Events before 1.0, whose messages had no ids. */
const THINKING = /^THINKING_(?:TEXT_)?/

/**
 * Reads the data of one frame.
 *
 * @param deviate called for what the specification does not allow and servers are known to send
 * @param mintId a new id, for a message of a version that had none; the same until the next begins
 * @throws ReadFault
 */
export function readEvent(data: string, deviate: Deviation, mintId: (begins: boolean) => string): AgUiEvent {
  const value = parseObject(data)
  const { type: own } = value
  if (!isString(own)) throw new ReadFault('an event has no type')
  const type = own.replace(THINKING, 'REASONING_')
  const members = Object.hasOwn(EVENTS, type) ? EVENTS[type] : undefined
  if (members === undefined) return { type: 'UNKNOWN', name: own }
  for (const [key, member] of Object.entries(value))
    if (member === null && !NULLABLE.test(key)) deviate(`an event ${JSON.stringify(own)} has a ${key} that is null`)
  // Of spans nothing is shown, so that they need no ids of their own.
  const mint = (): string => (own.includes('TEXT') ? mintId(type.endsWith('START')) : 'thinking')
  const whole = type === own ? value : { ...value, messageId: mint() }
  // The members were read by the table for the type; the union is written out in schema/event.ts.
  return { ...read(whole, members, type, deviate), ...special(whole, type, deviate) } as unknown as AgUiEvent
}

function parseObject(data: string): JsonObject {
  let value: unknown
  try {
    value = parseBoundedJson(data)
  } catch (cause) {
    throw new ReadFault('an event is not JSON', { cause })
  }
  if (isJsonObject(value)) return value
  throw new ReadFault('an event is not an object')
}

function read(value: JsonObject, members: string, type: string, deviate: Deviation): JsonObject {
  const found: JsonObject = { type }
  for (const name of `${members} ${COMMON}`.split(' ')) {
    const key = name.replace(/[?~]$/, '')
    const member = value[key]
    if (member === undefined || (member === null && !NULLABLE.test(key))) {
      if (name.endsWith('~')) deviate(`an event ${JSON.stringify(type)} has no ${key}`)
      else if (key !== '' && key === name) throw new ReadFault(`an event ${JSON.stringify(type)} has no ${key}`)
      continue
    }
    const isKind = type === 'STATE_DELTA' && key === 'delta' ? Array.isArray : (KINDS[key] ?? isString)
    if (!isKind(member))
      throw new ReadFault(`an event ${JSON.stringify(type)} has a ${key} that is not what it must be`)
    found[key] = member
  }
  return found
}

/** Members that are read further. */
function special(value: JsonObject, type: string, deviate: Deviation): JsonObject {
  switch (type) {
    case 'RUN_FINISHED':
      return {
        outcome: readOutcome(value, deviate),
        ...(Array.isArray(value['usage']) && { usage: value['usage'].flatMap(usageOf) }),
      }
    case 'RUN_STARTED': {
      const { input } = value
      const messages = isJsonObject(input) && Array.isArray(input['messages']) ? input['messages'] : []
      return { messages: messages.flatMap((message) => readMessage(message, deviate) ?? []) }
    }
    case 'MESSAGES_SNAPSHOT':
      // A list, by the table.
      return { messages: (value['messages'] as unknown[]).flatMap((message) => readMessage(message, deviate) ?? []) }
    case 'TOOL_CALL_RESULT':
    case 'ACTIVITY_SNAPSHOT':
      return { content: readContent(value['content'], type === 'ACTIVITY_SNAPSHOT') }
    case 'STATE_DELTA':
      return { delta: readPatch(value['delta'] as unknown[]) }
    case 'ACTIVITY_DELTA':
      return { patch: readPatch(value['patch'] as unknown[]) }
    default:
      return {}
  }
}

const isPointer = (value: unknown): boolean => isString(value) && /^(?:$|\/)/.test(value)

/** Operations that are not known are left out. */
function readPatch(list: readonly unknown[]): JsonPatch {
  return list.flatMap((operation) => {
    if (!isJsonObject(operation) || !isString(operation['op'])) throw new ReadFault('an operation of a patch is none')
    const { op, path, from } = operation
    if (!OPERATIONS.has(op)) return []
    const isMove = op === 'move' || op === 'copy'
    const isWhole =
      isPointer(path) && (op === 'remove' || (isMove ? isPointer(from) : Object.hasOwn(operation, 'value')))
    if (!isWhole) throw new ReadFault(`an operation ${JSON.stringify(op)} of a patch lacks a member`)
    return [operation]
  })
}

function usageOf(value: unknown): Usage[] {
  if (!isJsonObject(value)) return []
  const count = (member: unknown): number | undefined => (typeof member === 'number' ? member : undefined)
  const { inputTokens, outputTokens, totalTokens } = value
  return [{ inputTokens: count(inputTokens), outputTokens: count(outputTokens), totalTokens: count(totalTokens) }]
}
