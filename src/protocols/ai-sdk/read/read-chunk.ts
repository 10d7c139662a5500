import type { Guard } from '../../../base/guards.ts'
import { isAnything, isBoolean, isString } from '../../../base/guards.ts'
import { parseBoundedJson } from '../../../base/bounded-json.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { UiMessageChunk } from '../schema/chunk.ts'

/** Data that are not a chunk. The message is a sentence; the cause is there where they are not even JSON. */
export class ReadFault extends Error {}

interface Member {
  readonly guard: Guard<unknown>
  readonly isRequired: boolean
}
type Members = Readonly<Record<string, Member>>

const text: Member = { guard: isString, isRequired: true }
const flag: Member = { guard: isBoolean, isRequired: true }
const list: Member = { guard: Array.isArray, isRequired: true }
const maybe = { text: { ...text, isRequired: false }, flag: { ...flag, isRequired: false } }
const any: Member = { guard: isAnything, isRequired: false }
const objects: Member = {
  guard: (value): value is JsonObject[] => Array.isArray(value) && value.every(isJsonObject),
  isRequired: false,
}

const content = { id: text, providerMetadata: any }
const delta = { ...content, delta: text }
const call = {
  toolCallId: text,
  toolName: text,
  dynamic: maybe.flag,
  providerExecuted: maybe.flag,
  title: maybe.text,
  toolMetadata: any,
  providerMetadata: any,
}
const outcome = { toolCallId: text, providerExecuted: maybe.flag, providerMetadata: any }
const file = { url: text, mediaType: text, providerMetadata: any }
const nothing = {}

/** What each type of chunk has. */
const CHUNKS: Readonly<Record<string, Members>> = {
  start: { messageId: maybe.text, messageMetadata: any },
  'text-start': content,
  'text-delta': delta,
  'text-end': { ...content, citations: objects },
  'reasoning-start': content,
  'reasoning-delta': delta,
  'reasoning-end': content,
  'tool-input-start': call,
  'tool-input-delta': { toolCallId: text, inputTextDelta: text },
  'tool-input-available': { ...call, input: any },
  'tool-input-error': { ...call, input: any, errorText: text },
  'tool-output-available': { ...outcome, output: any, preliminary: maybe.flag },
  'tool-output-error': { ...outcome, errorText: text },
  'tool-output-denied': { toolCallId: text },
  'tool-approval-request': { toolCallId: text, approvalId: text, isAutomatic: maybe.flag, reason: maybe.text },
  'tool-approval-response': { approvalId: text, approved: flag, reason: maybe.text },
  'source-url': { sourceId: text, url: text, title: maybe.text, providerMetadata: any },
  'source-document': {
    sourceId: text,
    mediaType: text,
    title: text,
    filename: maybe.text,
    providerMetadata: any,
  },
  file,
  'reasoning-file': file,
  custom: { kind: text, providerMetadata: any },
  'steering-message': { id: text, parts: list },
  'start-step': nothing,
  'finish-step': nothing,
  'reset-step': nothing,
  'message-metadata': { messageMetadata: any },
  finish: { finishReason: maybe.text, messageMetadata: any },
  abort: { reason: maybe.text },
  error: { errorText: text },
}
const DATA: Members = { id: maybe.text, data: any, transient: maybe.flag }

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
  return chunkOf(type === 'tool-approval-request' ? { ...found, approval: approvalOf(value) } : found)
}

/** The members that are there. Writers of other languages write null for one that is absent. */
function read(value: JsonObject, members: Members, type: string): JsonObject {
  const found: JsonObject = { type }
  for (const [key, { guard, isRequired }] of Object.entries(members)) {
    const member = value[key]
    if (member !== undefined && member !== null && guard(member)) found[key] = member
    // Null is a value where anything may be one.
    else if (member === null && (key === 'input' || key === 'output' || key === 'data')) found[key] = null
    else if (isRequired) throw new ReadFault(`a chunk ${JSON.stringify(type)} has no ${key} as it must be`)
  }
  return found
}

/**
 * The approval as it goes back to the server: what is not known here may be what the server checks. In it, `reason` is that of the
 * answer.
 */
function approvalOf({ type: _type, toolCallId: _call, approvalId, reason, ...rest }: JsonObject): JsonObject {
  const known = Object.entries({ requestReason: reason, ...rest }).filter(([, member]) => (member ?? null) !== null)
  return { id: approvalId, ...Object.fromEntries(known) }
}
