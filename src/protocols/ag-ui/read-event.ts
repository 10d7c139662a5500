import { parseBoundedJson } from '../../base/bounded-json.ts'
import { isAnything, isBoolean, isNumber, isString } from '../../base/guards.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { Usage } from '../../seam/usage.ts'
import type { AgUiEvent } from './event-schema.ts'
import type { Deviation } from './read-fault.ts'
import { ReadFault } from './read-fault.ts'
import { readContent } from './read-content.ts'

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
  RUN_FINISHED: 'threadId~ runId~ result? usage? outcome?',
  RUN_ERROR: 'message code?',
  STEP_STARTED: 'stepName',
  STEP_FINISHED: 'stepName',
  TEXT_MESSAGE_START: 'messageId role? name?',
  TEXT_MESSAGE_CONTENT: TEXT,
  TEXT_MESSAGE_END: 'messageId',
  TEXT_MESSAGE_CHUNK: 'messageId? role? name? delta?',
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
  ACTIVITY_DELTA: 'messageId activityType~ patch',
  SUBAGENT_STARTED: 'subagentRunId name description? parentSubagentRunId?',
  SUBAGENT_FINISHED: 'subagentRunId outcome?',
  SUBAGENT_ERROR: 'subagentRunId message',
  RAW: '',
  CUSTOM: 'name value',
}
const COMMON = 'subagentRunId? metadata?'
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
  return { ...read(whole, members, type, deviate), ...special(whole, type) } as unknown as AgUiEvent
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

/** Members that are read further. What is rare is read by what is loaded for it. */
function special(value: JsonObject, type: string): JsonObject {
  switch (type) {
    case 'RUN_FINISHED': {
      const { usage, interrupt, interrupts = interrupt } = value
      return { interrupts, ...(Array.isArray(usage) && { usage: usageOf(usage) }) }
    }
    case 'RUN_STARTED': {
      const { input } = value
      return { messages: isJsonObject(input) && Array.isArray(input['messages']) ? input['messages'] : [] }
    }
    case 'TOOL_CALL_RESULT':
    case 'ACTIVITY_SNAPSHOT':
      return { content: readContent(value['content'], type === 'ACTIVITY_SNAPSHOT') }
    default:
      return {}
  }
}

const COUNTS = ['inputTokens', 'outputTokens', 'totalTokens'] as const

/** What the models of a run took together. */
function usageOf(list: readonly unknown[]): Usage | undefined {
  const usage: Partial<Record<(typeof COUNTS)[number], number>> = {}
  for (const name of COUNTS) {
    const counts = list.map((each) => (isJsonObject(each) ? each[name] : undefined)).filter(isNumber)
    if (counts.length > 0) usage[name] = counts.reduce((sum, count) => sum + count)
  }
  return Object.keys(usage).length === 0 ? undefined : usage
}
