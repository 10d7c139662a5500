import { withoutUndefined } from '../../base/given-members.ts'
import { isAnything, isBoolean, isList, isNotNull } from '../../base/guards.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { MembersOf, MessagesOf } from '../../base/format/member-table.ts'
import { parseTyped, readMembers } from '../../base/format/member-table.ts'
import { ValidationError } from '../../base/format/validation-error.ts'
import type { UiApproval } from './messages.ts'

const isObjects = (value: unknown): value is readonly JsonObject[] => Array.isArray(value) && value.every(isJsonObject)
/** Metadata by provider. A server refuses a conversation with any other value in their place. */
const isMetadata = (value: unknown): value is JsonObject =>
  isJsonObject(value) && Object.values(value).every(isJsonObject)

/** Writers of other languages write null for an absent member. */
const KINDS = {
  parts: isList,
  dynamic: isBoolean,
  providerExecuted: isBoolean,
  preliminary: isBoolean,
  transient: isBoolean,
  isAutomatic: isBoolean,
  approved: isBoolean,
  citations: isObjects,
  input: isAnything,
  output: isAnything,
  data: isAnything,
  approvalDescriptor: isNotNull,
  inputSchemaInput: isAnything,
  providerMetadata: isMetadata,
  toolMetadata: isJsonObject,
  messageMetadata: isNotNull,
}
const METADATA = 'providerMetadata?'
const CALL = `toolCallId toolName dynamic? providerExecuted? title? toolMetadata? ${METADATA}` as const
const OUTCOME = `toolCallId providerExecuted? toolMetadata? ${METADATA}` as const

/** The members of each type of chunk. */
const CHUNKS = {
  start: 'messageId? messageMetadata?',
  'text-start': `id ${METADATA}`,
  'text-delta': `id delta ${METADATA}`,
  'text-end': `id citations? ${METADATA}`,
  'reasoning-start': `id ${METADATA}`,
  'reasoning-delta': `id delta ${METADATA}`,
  'reasoning-end': `id ${METADATA}`,
  'tool-input-start': `${CALL} inputEncoding?`,
  'tool-input-delta': 'toolCallId inputTextDelta',
  'tool-input-available': `${CALL} input?`,
  'tool-input-error': `${CALL} input? errorText`,
  'tool-output-available': `${OUTCOME} output? preliminary?`,
  'tool-output-error': `${OUTCOME} errorText`,
  'tool-output-denied': 'toolCallId',
  'tool-approval-request':
    'toolCallId approvalId approvalDescriptor? inputSchemaInput? reason? isAutomatic? signature?',
  'tool-approval-response': `approvalId approved reason? providerExecuted? ${METADATA}`,
  'source-url': `sourceId url title? ${METADATA}`,
  'source-document': `sourceId mediaType title filename? ${METADATA}`,
  file: `url mediaType ${METADATA}`,
  'reasoning-file': `url mediaType ${METADATA}`,
  custom: `kind ${METADATA}`,
  'steering-message': 'id parts',
  'start-step': '',
  'finish-step': '',
  'reset-step': '',
  'message-metadata': 'messageMetadata?',
  finish: 'finishReason? messageMetadata?',
  abort: 'reason?',
  error: 'errorText',
} as const
const DATA = 'id? data? transient?'

type ListedChunk = MessagesOf<Omit<typeof CHUNKS, 'tool-approval-request'>, typeof KINDS>

/** One chunk of the stream, validated. Optional members of another kind are omitted, like those that are null. */
export type UiMessageChunk =
  | ListedChunk
  | {
      readonly type: 'tool-approval-request'
      readonly toolCallId: string
      readonly approvalId: string
      /** The approval as it goes back to the server. */
      readonly approval: UiApproval
    }
  /** `name` is the type on the wire: `data-…`. */
  | ({ readonly type: 'data'; readonly name: string } & MembersOf<typeof DATA, typeof KINDS>)
  /** A type of a later version. */
  | { readonly type: 'unknown'; readonly name: string; readonly raw: JsonObject }

/**
 * Reads the data of one frame. A type of a later version is a chunk of type `unknown`.
 *
 * @throws ValidationError
 */
export function readChunk(data: string): UiMessageChunk {
  const value = parseTyped(data, 'a chunk')
  const { type } = value
  const read = (row: string): JsonObject =>
    readMembers(value, row, KINDS, (key, word) => {
      if (!word.endsWith('?')) throw new ValidationError(`a chunk ${JSON.stringify(type)} has no ${key} as it must be`)
    })
  if (type.startsWith('data-')) return { ...read(DATA), type: 'data', name: type }
  if (!isListed(type)) return { type: 'unknown', name: type, raw: value }
  const found = read(CHUNKS[type])
  // The members are those of the row of this type, from which the union is derived.
  return (type === 'tool-approval-request' ? { ...found, approval: approvalOf(found) } : found) as UiMessageChunk
}

function isListed(type: string): type is keyof typeof CHUNKS {
  return Object.hasOwn(CHUNKS, type)
}

/** The approval as it goes back to the server, under the names that it has in a message. There, `reason` is that of the answer. */
function approvalOf(request: JsonObject): JsonObject {
  const { approvalId: id, approvalDescriptor: descriptor, reason: requestReason } = request
  const { inputSchemaInput, isAutomatic, signature } = request
  return withoutUndefined({
    id,
    descriptor,
    inputSchemaInput,
    requestReason,
    isAutomatic: isAutomatic || undefined,
    signature,
  })
}
