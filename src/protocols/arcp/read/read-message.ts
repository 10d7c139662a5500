import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import { ValidationError } from '../../../base/format/validation-error.ts'
import { maybeObject, maybeText, name, object, time, word } from './key-reader.ts'
import type { ArcpMessage, ArcpReceived, ArcpSentType } from './message.ts'
import { isExtensionName } from '../values/message-type.ts'
import type { PayloadReader } from './read-payload.ts'
import { PAYLOAD_READERS } from './read-payload.ts'

const PRIORITIES = ['low', 'normal', 'high', 'critical'] as const

/** The text members of an envelope that may be absent. */
const TEXTS = [
  'source',
  'target',
  'session_id',
  'job_id',
  'stream_id',
  'subscription_id',
  'trace_id',
  'span_id',
  'parent_span_id',
  'correlation_id',
  'causation_id',
  'idempotency_key',
] as const

/** Reads what is rare. */
export interface RareReaders {
  /** Undefined: it is not a rare type. */
  readerOf(type: string): PayloadReader<unknown> | undefined
  /** Whether it is a core type that only a client sends. */
  isSent(type: string): type is ArcpSentType
}

/** Whether it takes the readers of rare types to say what a value is. */
export function isRare(value: unknown): boolean {
  const type = isJsonObject(value) ? value.type : undefined
  return typeof type === 'string' && !isCommon(type) && !isExtensionName(type)
}

/**
 * A message of ARCP 1.0, with the members that the RFC names.
 *
 * @param rare needed where `isRare` says so
 * @throws ValidationError for anything else, also for an unknown core type
 */
export function readMessage(value: unknown, rare?: RareReaders): ArcpMessage {
  if (!isJsonObject(value)) throw new ValidationError('a message must be an object')
  const type = name(value, 'type')
  const envelope = readEnvelope(value)
  const payload = object(value, 'payload')
  try {
    const read = isCommon(type) ? PAYLOAD_READERS[type] : rare?.readerOf(type)
    // The reader of a type gives the payload of that type.
    if (read !== undefined) return { ...envelope, type, payload: read(payload, value) } as ArcpReceived
  } catch (error) {
    throw error instanceof ValidationError ? new ValidationError(`${type}: ${error.message}`) : error
  }
  if (rare?.isSent(type) === true) return { ...envelope, type: 'echo', name: type, payload }
  if (isExtensionName(type)) return { ...envelope, type: 'extension', name: type, payload }
  throw new ValidationError(`type ${JSON.stringify(type.slice(0, 80))} is not of ARCP 1.0`)
}

function readEnvelope(from: JsonObject): Omit<ArcpMessage, 'type' | 'payload'> {
  const arcp = name(from, 'arcp')
  if (!/^1(\.|$)/.test(arcp))
    throw new ValidationError(`arcp must be version 1 and is ${JSON.stringify(arcp.slice(0, 20))}`)
  const extensions = maybeObject(from, 'extensions')
  for (const key of Object.keys(extensions ?? {}))
    if (key !== 'optional' && !isExtensionName(key)) throw new ValidationError('extensions must have namespaced keys')
  const texts: Partial<Record<(typeof TEXTS)[number], string>> = {}
  for (const key of TEXTS) {
    const value = maybeText(from, key)
    if (value !== undefined) texts[key] = value
  }
  return {
    arcp,
    id: name(from, 'id'),
    timestamp: time(from, 'timestamp'),
    ...texts,
    ...(from.priority === undefined || from.priority === null ? {} : { priority: word(from, 'priority', PRIORITIES) }),
    ...(extensions === undefined ? {} : { extensions }),
  }
}

function isCommon(type: string): type is keyof typeof PAYLOAD_READERS {
  return Object.hasOwn(PAYLOAD_READERS, type)
}
