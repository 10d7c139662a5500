import { parseBoundedJson } from '../../../../base/bounded-json.ts'
import type { JsonObject } from '../../../../base/json-object.ts'
import { isJsonObject } from '../../../../base/json-object.ts'
import { ValidationError } from '../../../../base/format/validation-error.ts'
import { maybeCount, maybeText, name, object } from '../../read/key-reader.ts'
import { isVendorName, needsJob, needsSequence, needsSession } from '../values/frame-rules.ts'
import type { FrameType } from '../schema/payloads.ts'
import type { Frame } from './frame.ts'
import { FRAME_READERS } from './read-payload.ts'

/** A message of ARCP 1.1. Members of the envelope that are not known are left out. @throws ValidationError, SyntaxError, RangeError when it is none */
export function readDialectFrame(frame: string): Frame {
  const value = parseBoundedJson(frame)
  if (!isJsonObject(value)) throw new ValidationError('a message must be an object')
  const type = name(value, 'type')
  const { arcp } = value
  if (arcp !== '1.1') throw new ValidationError('arcp must be 1.1')
  const envelope = {
    id: name(value, 'id'),
    session_id: maybeText(value, 'session_id'),
    trace_id: maybeText(value, 'trace_id'),
    job_id: maybeText(value, 'job_id'),
    event_seq: maybeCount(value, 'event_seq'),
  }
  const payload = object(value, 'payload')
  if (!isFrameType(type)) {
    if (isVendorName(type)) return { ...envelope, type: 'extension', name: type, payload }
    throw new ValidationError(`type ${JSON.stringify(type.slice(0, 80))} is not of ARCP 1.1`)
  }
  if (needsSession(type)) required(envelope.session_id, `${type}: session_id`)
  if (needsJob(type)) required(envelope.job_id, `${type}: job_id`)
  if (needsSequence(type)) required(envelope.event_seq, `${type}: event_seq`)
  // The reader of a type gives the payload of that type.
  return { ...envelope, type, payload: read(type, payload) } as Frame
}

function read(type: FrameType, payload: JsonObject): object {
  try {
    return FRAME_READERS[type](payload)
  } catch (error) {
    throw error instanceof ValidationError ? new ValidationError(`${type}: ${error.message}`) : error
  }
}

function required(value: unknown, what: string): void {
  if (value === undefined) throw new ValidationError(`${what} must be there`)
}

function isFrameType(type: string): type is FrameType {
  return Object.hasOwn(FRAME_READERS, type)
}
