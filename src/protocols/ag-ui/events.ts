import { isGiven } from '../../base/given-members.ts'
import { isAnything, isBoolean, isList, isNotNull, isNumber } from '../../base/guards.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { MembersOf, MessagesOf } from '../../base/format/member-table.ts'
import { parseTyped, readMembers } from '../../base/format/member-table.ts'
import { ValidationError } from '../../base/format/validation-error.ts'
import type { Usage } from '../../seam/usage.ts'
import type { AgUiContentPart } from './messages.ts'
import { readContent } from './messages.ts'

const KINDS = {
  'delta*': isList,
  messages: isList,
  patch: isList,
  usage: isList,
  replace: isBoolean,
  metadata: isJsonObject,
  snapshot: isAnything,
  value: isAnything,
  result: isAnything,
  outcome: isNotNull,
  content: isNotNull,
}
/** Elsewhere older servers write null for an absent member. */
const NULLABLE = /^(?:snapshot|value|event|result)$/

const TEXT = 'messageId delta'
const COMMON = 'subagentRunId? metadata?'
/** The members of each event (AG-UI 1.0, events). */
const EVENTS = {
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
  STATE_DELTA: 'delta*',
  MESSAGES_SNAPSHOT: 'messages',
  ACTIVITY_SNAPSHOT: 'messageId activityType content replace?',
  ACTIVITY_DELTA: 'messageId activityType~ patch',
  SUBAGENT_STARTED: 'subagentRunId name description? parentSubagentRunId?',
  SUBAGENT_FINISHED: 'subagentRunId outcome?',
  SUBAGENT_ERROR: 'subagentRunId message',
  RAW: '',
  CUSTOM: 'name value',
} as const

/** Members that `furtherMembers` reads, for their types. */
interface Further {
  readonly RUN_STARTED: {
    /** The messages that the server began with. */
    readonly messages: readonly unknown[]
  }
  readonly RUN_FINISHED: {
    /** Of all models of the run. */
    readonly usage?: Usage | undefined
    /** In drafts of 1.0, next to the outcome. */
    readonly interrupts?: unknown
  }
  readonly TOOL_CALL_RESULT: { readonly content: string | readonly AgUiContentPart[] }
  readonly ACTIVITY_SNAPSHOT: { readonly content: JsonObject }
}

type ListedEvent = MessagesOf<typeof EVENTS, typeof KINDS, MembersOf<typeof COMMON, typeof KINDS>>
type EventOf<Listed> = Listed extends { readonly type: infer Type extends keyof Further }
  ? Omit<Listed, keyof Further[Type]> & Further[Type]
  : Listed

/**
 * One event of the stream, validated. `THINKING_…` of older versions are `REASONING_…`; `UNKNOWN` is one of a later version, whose
 * type is its name.
 */
export type AgUiEvent =
  | EventOf<ListedEvent>
  | (MembersOf<typeof COMMON, typeof KINDS> & { readonly type: 'UNKNOWN'; readonly name: string })

/** Receives deviations that some servers are known for: they are tolerated, or refused in strict mode. */
export type Deviation = (why: string) => void

export const TOLERATE: Deviation = () => {}
export const REFUSE: Deviation = (why) => {
  throw new ValidationError(why)
}

/** Events before 1.0, whose messages had no ids. */
const THINKING = /^THINKING_(?:TEXT_)?/

/**
 * Reads the data of one frame.
 *
 * @param deviate called for what the specification does not allow and servers are known to send
 * @param mintId a new id, for a message of a version that had none; the same until the next begins
 * @throws ValidationError
 */
export function readEvent(data: string, deviate: Deviation, mintId: (begins: boolean) => string): AgUiEvent {
  const value = parseTyped(data, 'an event')
  const { type: own } = value
  const type = own.replace(THINKING, 'REASONING_')
  if (!isListed(type)) return { type: 'UNKNOWN', name: own }
  for (const [key, member] of Object.entries(value))
    if (member === null && !NULLABLE.test(key)) deviate(`an event ${JSON.stringify(own)} has a ${key} that is null`)
  // Spans are not shown, so they share an id.
  const mint = (): string => (own.includes('TEXT') ? mintId(type.endsWith('START')) : 'thinking')
  const whole = type === own ? value : { ...value, type, messageId: mint() }
  const name = `an event ${JSON.stringify(type)} has`
  const members = readMembers(whole, `${EVENTS[type]} ${COMMON}`, KINDS, (key, word) => {
    if (isGiven(whole[key])) throw new ValidationError(`${name} a ${key} that is not what it must be`)
    if (word.endsWith('~')) deviate(`${name} no ${key}`)
    else if (!word.endsWith('?')) throw new ValidationError(`${name} no ${key}`)
  })
  // The members are those of the row of this type, from which the union is derived.
  return { ...members, ...furtherMembers(whole, type) } as AgUiEvent
}

function isListed(type: string): type is keyof typeof EVENTS {
  return Object.hasOwn(EVENTS, type)
}

function furtherMembers(value: JsonObject, type: string): JsonObject {
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

/** Sum over the models of a run. */
function usageOf(list: readonly unknown[]): Usage | undefined {
  const usage: Partial<Record<(typeof COUNTS)[number], number>> = {}
  for (const name of COUNTS) {
    const counts = list.map((each) => (isJsonObject(each) ? each[name] : undefined)).filter(isNumber)
    if (counts.length > 0) usage[name] = counts.reduce((sum, count) => sum + count)
  }
  return Object.keys(usage).length === 0 ? undefined : usage
}
