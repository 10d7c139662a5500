import { isAnything, isBoolean, isString } from '../../base/guards.ts'
import { parseBoundedJson } from '../../base/bounded-json.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import { withoutUndefined } from '../../base/given-members.ts'
import type { UiMessageChunk } from './chunk-schema.ts'

/** Data that are not a chunk. The message is a sentence; the cause is there where they are not even JSON. */
export class ReadFault extends Error {}

const isObjects = (value: unknown): boolean => Array.isArray(value) && value.every(isJsonObject)
/** Metadata by provider. A server refuses a conversation with any other value in their place. */
const isMetadata = (value: unknown): boolean => isJsonObject(value) && Object.values(value).every(isJsonObject)

/** What a member is, wherever it is. One that is not here is a string. */
const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  dynamic: isBoolean,
  providerExecuted: isBoolean,
  preliminary: isBoolean,
  transient: isBoolean,
  isAutomatic: isBoolean,
  approved: isBoolean,
  parts: Array.isArray,
  citations: isObjects,
  input: isAnything,
  output: isAnything,
  data: isAnything,
  approvalDescriptor: isAnything,
  inputSchemaInput: isAnything,
  providerMetadata: isMetadata,
  toolMetadata: isJsonObject,
  messageMetadata: isAnything,
}
/** Members whose null is a value. Elsewhere writers of other languages write null for one that is absent. */
const NULLABLE = /^(?:input|output|data|inputSchemaInput)$/

const METADATA = 'providerMetadata?'
const CALL = `toolCallId toolName dynamic? providerExecuted? title? toolMetadata? ${METADATA}`
const OUTCOME = `toolCallId providerExecuted? toolMetadata? ${METADATA}`

/** The members of each type of chunk; a question mark is behind those that may be absent. */
const CHUNKS: Readonly<Record<string, string>> = {
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
}
const DATA = 'id? data? transient?'

/**
 * Reads the data of one frame. A type of a later version is a chunk of type `unknown`.
 *
 * @throws ReadFault
 */
export function readChunk(data: string): UiMessageChunk {
  let value: unknown
  try {
    value = parseBoundedJson(data)
  } catch (cause) {
    throw new ReadFault('a chunk is not JSON', { cause })
  }
  if (!isJsonObject(value)) throw new ReadFault('a chunk is not an object')
  const { type } = value
  if (typeof type !== 'string') throw new ReadFault('a chunk has no type')
  // Every key was read by the table for its type; the union is written out in schema/chunk.ts.
  const chunkOf = (found: JsonObject): UiMessageChunk => found as unknown as UiMessageChunk
  if (type.startsWith('data-')) return chunkOf({ ...read(value, DATA, type), type: 'data', name: type })
  const members = Object.hasOwn(CHUNKS, type) ? CHUNKS[type] : undefined
  if (members === undefined) return { type: 'unknown', name: type, raw: value }
  const found = read(value, members, type)
  return chunkOf(type === 'tool-approval-request' ? { ...found, approval: approvalOf(found) } : found)
}

/** The members that are there. One of a wrong kind that may be absent is. */
function read(value: JsonObject, members: string, type: string): JsonObject {
  const found: JsonObject = { type }
  for (const name of members === '' ? [] : members.split(' ')) {
    const key = name.replace('?', '')
    const member = value[key]
    const isThere = member !== undefined && (member !== null || NULLABLE.test(key)) && (KINDS[key] ?? isString)(member)
    if (isThere) found[key] = member
    else if (key === name) throw new ReadFault(`a chunk ${JSON.stringify(type)} has no ${key} as it must be`)
  }
  return found
}

/** The approval as it goes back to the server, under the names that it has in a message. There, `reason` is that of the answer. */
function approvalOf(request: JsonObject): JsonObject {
  const { approvalId: id, approvalDescriptor: descriptor, reason: requestReason, isAutomatic, signature } = request
  const { inputSchemaInput } = request
  return withoutUndefined({
    id,
    descriptor,
    inputSchemaInput,
    requestReason,
    ...(isAutomatic === true && { isAutomatic }),
    signature,
  })
}
