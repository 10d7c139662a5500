import type { JsonObject } from '../../../../base/json-object.ts'
import { isJsonObject } from '../../../../base/json-object.ts'
import { ValidationError } from '../../../../base/format/validation-error.ts'
import {
  maybeCount,
  maybeFlag,
  maybeNumber,
  maybeObject,
  maybeText,
  member,
  name,
  object,
  text,
  word,
} from '../../read/key-reader.ts'
import type { FramePayload, FrameType } from '../schema/payloads.ts'
import type { FrameOf } from './frame.ts'
import { count, readError } from './read-event.ts'

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
export const FRAME_READERS: Readers = {
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
