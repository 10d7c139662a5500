import { type JsonObject, isJsonObject } from '../../../../base/json-object.ts'
import type { EventBody, EventKind, FramePayload, FrameType } from './frame-schemas.ts'
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
  member,
  object,
} from '../../read/message.ts'
import { LOG_LEVELS } from '../../values/vocabulary.ts'
import { parseBoundedJson } from '../../../../base/bounded-json.ts'
import { isVendorName, needsJob, needsSequence, needsSession } from './frame-rules.ts'

/** What the envelope of a message of ARCP 1.1 says beside its type. */
export interface FrameEnvelope {
  readonly id: string
  readonly session_id?: string | undefined
  readonly trace_id?: string | undefined
  readonly job_id?: string | undefined
  readonly event_seq?: number | undefined
}

/** What a client reads of a message that tells what a job may do: everything but the credentials. */
type WithoutSecrets<Type extends FrameType> = Omit<FramePayload<Type>, 'credentials'>

/** A message of ARCP 1.1, as a client reads it. */
export type Frame =
  | {
      readonly [Type in FrameType]: FrameEnvelope & { readonly type: Type; readonly payload: WithoutSecrets<Type> }
    }[FrameType]
  | (FrameEnvelope & { readonly type: 'extension'; readonly name: string; readonly payload: JsonObject })

/** A message of one type. */
export type FrameOf<Type extends Frame['type']> = Extract<Frame, { type: Type }>

/** A counted message, which every session that follows the job receives. */
export type JobFrame = FrameOf<'job.event' | 'job.result' | 'job.error'>

/** An event of a kind of the specification, or of another one: `unknown`. */
export type JobEvent =
  | { readonly [Kind in EventKind]: { readonly kind: Kind; readonly body: EventBody<Kind> } }[EventKind]
  | { readonly kind: 'unknown'; readonly name: string; readonly body: unknown }

type BodyReaders = { readonly [Kind in EventKind]: (from: JsonObject) => EventBody<Kind> }

/** An error of the protocol. */
function readError(from: JsonObject): FramePayload<'session.error'> {
  return {
    code: name(from, 'code'),
    message: text(from, 'message'),
    retryable: maybeFlag(from, 'retryable'),
    details: maybeObject(from, 'details'),
  }
}

/** A number that counts. */
function count(from: JsonObject, key: string): number {
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

type Readers = { readonly [Type in FrameType]: (from: JsonObject) => FrameOf<Type>['payload'] }

function maybeList<Item>(from: JsonObject, key: string, read: (value: unknown) => Item): Item[] | undefined {
  const value = member(from, [key])
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw new ValidationError(`${key} must be a list`)
  return value.map(read)
}

function textItem(value: unknown): string {
  if (typeof value !== 'string') throw new ValidationError('each must be a string')
  return value
}

function objectItem(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw new ValidationError('each must be an object')
  return value
}

const texts = (from: JsonObject, key: string): string[] | undefined => maybeList(from, key, textItem)

function readCapabilities(from: JsonObject | undefined): FramePayload<'session.welcome'>['capabilities'] {
  if (from === undefined) return undefined
  return {
    encodings: texts(from, 'encodings'),
    features: texts(from, 'features'),
    agents: maybeList(from, 'agents', (agent) => {
      if (typeof agent === 'string') return agent
      const entry = objectItem(agent)
      return { name: name(entry, 'name'), versions: texts(entry, 'versions'), default: maybeText(entry, 'default') }
    }),
  }
}

function recordOf<Value>(from: JsonObject, key: string, isValue: (value: unknown) => value is Value, what: string) {
  const record = maybeObject(from, key)
  if (record === undefined) return undefined
  return Object.fromEntries(
    Object.entries(record).map(([each, value]): [string, Value] => {
      if (!isValue(value)) throw new ValidationError(`${key} must have ${what}`)
      return [each, value]
    }),
  )
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

const isNumber = (value: unknown): value is number => typeof value === 'number'

const lease = (from: JsonObject, key: string): Record<string, string[]> | undefined =>
  recordOf(from, key, isTexts, 'lists of strings')

function constraints(from: JsonObject): { expires_at: string | undefined } | undefined {
  const value = maybeObject(from, 'lease_constraints')
  return value && { expires_at: maybeText(value, 'expires_at') }
}

/** What a job is allowed. Credentials are left out: they are for no screen, no log and no storage. */
function readAuthority(from: JsonObject) {
  return {
    lease: lease(from, 'lease'),
    lease_constraints: constraints(from),
    budget: recordOf(from, 'budget', isNumber, 'numbers'),
    parent_job_id: maybeText(from, 'parent_job_id'),
    trace_id: maybeText(from, 'trace_id'),
  }
}

const readReason = (from: JsonObject): FramePayload<'session.bye'> => ({ reason: maybeText(from, 'reason') })

/** What a client reads of each type. */
const FRAME_READERS: Readers = {
  'session.hello': (from) => {
    const [client, auth, resume] = [object(from, 'client'), object(from, 'auth'), maybeObject(from, 'resume')]
    return {
      client: {
        name: name(client, 'name'),
        version: text(client, 'version'),
        fingerprint: maybeText(client, 'fingerprint'),
        principal: maybeText(client, 'principal'),
      },
      auth: { scheme: word(auth, 'scheme', ['bearer']), token: name(auth, 'token') },
      capabilities: readCapabilities(maybeObject(from, 'capabilities')),
      resume: resume && {
        session_id: name(resume, 'session_id'),
        resume_token: name(resume, 'resume_token'),
        last_event_seq: count(resume, 'last_event_seq'),
      },
    }
  },
  'session.welcome': (from) => {
    const runtime = object(from, 'runtime')
    return {
      runtime: {
        name: name(runtime, 'name'),
        version: text(runtime, 'version'),
        fingerprint: maybeText(runtime, 'fingerprint'),
      },
      resume_token: maybeText(from, 'resume_token'),
      resume_window_sec: maybeNumber(from, 'resume_window_sec'),
      heartbeat_interval_sec: maybeNumber(from, 'heartbeat_interval_sec'),
      capabilities: readCapabilities(maybeObject(from, 'capabilities')),
    }
  },
  'session.error': readError,
  'session.bye': readReason,
  'session.ping': (from) => ({ nonce: name(from, 'nonce'), sent_at: maybeText(from, 'sent_at') }),
  'session.pong': (from) => ({ ping_nonce: name(from, 'ping_nonce'), received_at: maybeText(from, 'received_at') }),
  'session.ack': (from) => ({ last_processed_seq: count(from, 'last_processed_seq') }),
  'session.list_jobs': (from) => {
    const filter = maybeObject(from, 'filter')
    return {
      filter: filter && {
        status: texts(filter, 'status'),
        agent: maybeText(filter, 'agent'),
        created_after: maybeText(filter, 'created_after'),
        created_before: maybeText(filter, 'created_before'),
      },
      limit: maybeCount(from, 'limit'),
      cursor: maybeText(from, 'cursor'),
    }
  },
  'session.jobs': (from) => {
    const jobs = maybeList(from, 'jobs', (value) => {
      const job = objectItem(value)
      return {
        job_id: name(job, 'job_id'),
        agent: maybeText(job, 'agent'),
        status: text(job, 'status'),
        lease: lease(job, 'lease'),
        parent_job_id: maybeText(job, 'parent_job_id'),
        created_at: maybeText(job, 'created_at'),
        trace_id: maybeText(job, 'trace_id'),
        last_event_seq: maybeCount(job, 'last_event_seq'),
      }
    })
    if (jobs === undefined) throw new ValidationError('jobs must be a list')
    return { request_id: name(from, 'request_id'), jobs, next_cursor: maybeText(from, 'next_cursor') }
  },
  'job.submit': (from) => ({
    agent: name(from, 'agent'),
    input: from.input,
    lease_request: lease(from, 'lease_request'),
    lease_constraints: constraints(from),
    idempotency_key: maybeText(from, 'idempotency_key'),
    max_runtime_sec: maybeNumber(from, 'max_runtime_sec'),
  }),
  'job.accepted': (from) => ({
    job_id: name(from, 'job_id'),
    agent: maybeText(from, 'agent'),
    accepted_at: maybeText(from, 'accepted_at'),
    delegate_id: maybeText(from, 'delegate_id'),
    ...readAuthority(from),
  }),
  'job.cancel': readReason,
  'job.cancelled': readReason,
  'job.event': (from) => ({ kind: name(from, 'kind'), ts: text(from, 'ts'), body: from.body }),
  'job.result': (from) => {
    const id = maybeText(from, 'result_id')
    if (id !== undefined && from.result !== undefined)
      throw new ValidationError('a result must not have both result and result_id')
    return {
      final_status: word(from, 'final_status', ['success']),
      summary: maybeText(from, 'summary'),
      result: from.result,
      result_id: id,
      result_size: maybeCount(from, 'result_size'),
    }
  },
  'job.error': (from) => ({
    ...readError(from),
    final_status: word(from, 'final_status', ['error', 'cancelled', 'timed_out']),
  }),
  'job.subscribe': (from) => ({
    job_id: name(from, 'job_id'),
    from_event_seq: maybeCount(from, 'from_event_seq'),
    history: maybeFlag(from, 'history'),
  }),
  'job.subscribed': (from) => ({
    job_id: name(from, 'job_id'),
    current_status: text(from, 'current_status'),
    agent: maybeText(from, 'agent'),
    subscribed_from: maybeCount(from, 'subscribed_from'),
    replayed: maybeFlag(from, 'replayed'),
    ...readAuthority(from),
  }),
  'job.unsubscribe': (from) => ({ job_id: name(from, 'job_id') }),
  'session.resume': (from) => ({
    resume_token: name(from, 'resume_token'),
    last_event_seq: count(from, 'last_event_seq'),
  }),
  'session.close': readReason,
  'session.closed': readReason,
}

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
