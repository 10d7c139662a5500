import type { JsonObject } from '../../../../base/json-object.ts'
import { isJsonObject } from '../../../../base/json-object.ts'
import { ValidationError } from '../../../../base/format/validation-error.ts'
import {
  maybeCount,
  maybeFlag,
  maybeNumber,
  maybeObject,
  maybeText,
  name,
  number,
  text,
  word,
} from '../../read/key-reader.ts'
import { LOG_LEVELS } from '../../values/telemetry.ts'
import type { EventBody, EventKind } from '../schema/events.ts'
import type { FramePayload } from '../schema/payloads.ts'
import type { JobEvent } from './frame.ts'

type BodyReaders = { readonly [Kind in EventKind]: (from: JsonObject) => EventBody<Kind> }

/** An error of the protocol. */
export function readError(from: JsonObject): FramePayload<'session.error'> {
  return {
    code: name(from, 'code'),
    message: text(from, 'message'),
    retryable: maybeFlag(from, 'retryable'),
    details: maybeObject(from, 'details'),
  }
}

/** A number that counts. */
export function count(from: JsonObject, key: string): number {
  const value = maybeCount(from, key)
  if (value === undefined) throw new ValidationError(`${key} must be a whole number and not negative`)
  return value
}

const READERS: BodyReaders = {
  log: (from) => ({
    level: word(from, 'level', LOG_LEVELS),
    message: text(from, 'message'),
    attributes: maybeObject(from, 'attributes'),
  }),
  thought: (from) => ({ text: text(from, 'text') }),
  tool_call: (from) => ({ tool: name(from, 'tool'), args: from.args, call_id: name(from, 'call_id') }),
  tool_result: (from) => {
    const error = maybeObject(from, 'error')
    if (error !== undefined && from.result !== undefined)
      throw new ValidationError('tool_result must not have both result and error')
    return { call_id: name(from, 'call_id'), result: from.result, error: error && readError(error) }
  },
  status: (from) => ({ phase: name(from, 'phase'), message: maybeText(from, 'message') }),
  metric: (from) => ({
    name: name(from, 'name'),
    value: number(from, 'value'),
    unit: maybeText(from, 'unit'),
    dims: maybeObject(from, 'dims'),
    dimensions: maybeObject(from, 'dimensions'),
  }),
  artifact_ref: (from) => ({
    uri: name(from, 'uri'),
    content_type: text(from, 'content_type'),
    byte_size: maybeCount(from, 'byte_size'),
    sha256: maybeText(from, 'sha256'),
  }),
  delegate: (from) => ({
    delegate_id: name(from, 'delegate_id'),
    agent: name(from, 'agent'),
    input: from.input,
    lease_request: maybeObject(from, 'lease_request'),
    lease_constraints: maybeObject(from, 'lease_constraints'),
  }),
  progress: (from) => ({
    current: number(from, 'current'),
    total: maybeNumber(from, 'total'),
    units: maybeText(from, 'units'),
    message: maybeText(from, 'message'),
  }),
  result_chunk: (from) => {
    const more = maybeFlag(from, 'more')
    if (more === undefined) throw new ValidationError('more must be true or false')
    return {
      result_id: name(from, 'result_id'),
      chunk_seq: count(from, 'chunk_seq'),
      data: text(from, 'data'),
      encoding: word(from, 'encoding', ['utf8', 'base64']),
      more,
    }
  },
}

/** What an event says; one of a kind that is not known is passed on. @throws ValidationError for a body that its kind cannot have */
export function readEvent({ kind, body }: FramePayload<'job.event'>): JobEvent {
  if (!isKnown(kind)) return { kind: 'unknown', name: kind, body }
  if (!isJsonObject(body)) throw new ValidationError(`${kind}: body must be an object`)
  // The reader of a kind gives the body of that kind.
  return { kind, body: READERS[kind](body) } as JobEvent
}

function isKnown(kind: string): kind is EventKind {
  return Object.hasOwn(READERS, kind)
}
