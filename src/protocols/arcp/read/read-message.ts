import { parseBoundedJson } from '../../../base/bounded-json.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import { maybeObject, maybeText, name, object, ReadFault, time, word } from './key-reader.ts'
import type { ArcpMessage, ArcpReceived, ArcpReceivedType, ArcpSentType } from './message.ts'
import { isExtensionName } from '../values/message-type.ts'
import { PAYLOAD_READERS } from './read-payload.ts'

/** The core types that only a client sends. */
const SENT: Readonly<Record<ArcpSentType, true>> = {
  'session.open': true,
  'session.authenticate': true,
  'session.close': true,
  cancel: true,
  interrupt: true,
  resume: true,
  'checkpoint.create': true,
  'checkpoint.restore': true,
  'tool.invoke': true,
  'job.schedule': true,
  'workflow.start': true,
  'workflow.complete': true,
  'agent.delegate': true,
  'agent.handoff': true,
  'permission.grant': true,
  'permission.deny': true,
  'lease.refresh': true,
  subscribe: true,
  unsubscribe: true,
  'artifact.fetch': true,
  'artifact.release': true,
}

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

/** One text frame as a message. @throws ReadFault when it is none; SyntaxError or RangeError when it is no JSON that can be read */
export function readFrame(frame: string): ArcpMessage {
  return readMessage(parseBoundedJson(frame))
}

/** A message of ARCP 1.0, with the members that the RFC names. @throws ReadFault for anything else, also for an unknown core type */
export function readMessage(value: unknown): ArcpMessage {
  if (!isJsonObject(value)) throw new ReadFault('a message must be an object')
  const type = name(value, 'type')
  const envelope = readEnvelope(value)
  const payload = object(value, 'payload')
  try {
    if (isReceived(type)) {
      // The reader of a type gives the payload of that type.
      return { ...envelope, type, payload: PAYLOAD_READERS[type](payload, value) } as ArcpReceived
    }
  } catch (error) {
    throw error instanceof ReadFault ? new ReadFault(`${type}: ${error.message}`) : error
  }
  if (isSent(type)) return { ...envelope, type: 'echo', name: type, payload }
  if (isExtensionName(type)) return { ...envelope, type: 'extension', name: type, payload }
  throw new ReadFault(`type ${JSON.stringify(type.slice(0, 80))} is not of ARCP 1.0`)
}

function readEnvelope(from: JsonObject): Omit<ArcpMessage, 'type' | 'payload'> {
  const arcp = name(from, 'arcp')
  if (!/^1(\.|$)/.test(arcp)) throw new ReadFault(`arcp must be version 1 and is ${JSON.stringify(arcp.slice(0, 20))}`)
  const extensions = maybeObject(from, 'extensions')
  for (const key of Object.keys(extensions ?? {}))
    if (key !== 'optional' && !isExtensionName(key)) throw new ReadFault('extensions must have namespaced keys')
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

function isReceived(type: string): type is ArcpReceivedType {
  return Object.hasOwn(PAYLOAD_READERS, type)
}

function isSent(type: string): type is ArcpSentType {
  return Object.hasOwn(SENT, type)
}
