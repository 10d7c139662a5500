import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { ArcpArtifactRef } from '../schema/artifacts.ts'
import type { ArcpErrorPayload } from '../schema/error.ts'
import type { ArcpResultPayload } from '../schema/execution.ts'
import type { ArcpPayload } from '../schema/payloads.ts'
import { JOB_STATES } from '../values/job-states.ts'
import { ValidationError } from '../../../base/format/validation-error.ts'
import {
  maybeCount,
  maybeFlag,
  maybeNumber,
  maybeObject,
  maybeText,
  maybeTime,
  member,
  name,
  number,
  object,
  text,
  time,
  word,
} from './key-reader.ts'
import { LOG_LEVELS, RESERVED_UNITS } from '../values/telemetry.ts'
import type { ArcpRareType, ArcpReceivedType } from './message.ts'

/** Reads a payload. @param at the envelope, in which some runtimes put what others put into the payload. @throws ValidationError */
export type PayloadReader<Value> = (from: JsonObject, at: JsonObject) => Value

const readError: PayloadReader<ArcpErrorPayload> = (from) => ({
  code: name(from, 'code'),
  message: maybeText(from, 'message', 'reason') ?? 'The agent gave no reason.',
  retryable: maybeFlag(from, 'retryable'),
  details: maybeObject(from, 'details'),
  cause: maybeObject(from, 'cause'),
  trace_id: maybeText(from, 'trace_id'),
})

export const readRef: PayloadReader<ArcpArtifactRef> = (from) => ({
  artifact_id: name(from, 'artifact_id'),
  uri: maybeText(from, 'uri'),
  media_type: text(from, 'media_type'),
  size: maybeCount(from, 'size'),
  sha256: maybeText(from, 'sha256'),
  expires_at: maybeTime(from, 'expires_at'),
  data: maybeText(from, 'data'),
})

const readResult: PayloadReader<ArcpResultPayload> = (from, at) => {
  const ref = maybeObject(from, 'result_ref')
  const value = member(from, ['value', 'result'])
  return ref === undefined ? { value } : { result_ref: readRef(ref, at) }
}

const readStreamOpen: PayloadReader<ArcpPayload<'stream.open'>> = (from, at) => {
  const { kind } = from
  return {
    // A union of F# is written as an object that names its case.
    kind: isJsonObject(kind) ? text(kind, 'type', 'Case') : text(from, 'kind'),
    content_type: maybeText(from, 'content_type'),
    encoding: maybeText(from, 'encoding'),
    related_job_id: maybeText(from, 'related_job_id') ?? maybeText(at, 'job_id'),
  }
}

const readEvicted: PayloadReader<ArcpPayload<'session.evicted'>> = (from) => {
  const code = maybeText(from, 'code')
  return {
    reason: code ?? text(from, 'reason'),
    message: maybeText(from, 'message') ?? (code === undefined ? undefined : maybeText(from, 'reason')),
    allow_resume: maybeFlag(from, 'allow_resume'),
  }
}

const readProgress: PayloadReader<ArcpPayload<'job.progress'>> = (from) => {
  const percent = maybeNumber(from, 'percent')
  if (percent !== undefined && !(percent >= 0 && percent <= 100)) throw new ValidationError('percent must be 0 to 100')
  return {
    percent,
    message: maybeText(from, 'message'),
    current: maybeNumber(from, 'current'),
    total: maybeNumber(from, 'total'),
  }
}

const readMetric: PayloadReader<ArcpPayload<'metric'>> = (from) => {
  const key = name(from, 'name')
  const reserved = Object.hasOwn(RESERVED_UNITS, key) ? RESERVED_UNITS[key] : undefined
  const unit = maybeText(from, 'unit') ?? reserved
  if (reserved !== undefined && unit !== reserved) throw new ValidationError(`unit of ${key} must be ${reserved}`)
  return { name: key, value: number(from, 'value'), unit, dims: maybeObject(from, 'dims') }
}

/** What reads the payloads of some types. */
export type PayloadReaders<Types extends ArcpReceivedType> = {
  readonly [Type in Types]: PayloadReader<ArcpPayload<Type>>
}

/**
 * The members that a client reads of each common type, named as in the RFC. What the published runtimes in TypeScript, F# and Python
 * write otherwise is read as well.
 */
// oxfmt-ignore
export const PAYLOAD_READERS: PayloadReaders<Exclude<ArcpReceivedType, ArcpRareType>> = {
  'session.challenge': (from) => ({
    challenge: text(from, 'challenge', 'nonce', 'challenge_id'),
    challenge_id: maybeText(from, 'challenge_id'),
    scheme: maybeText(from, 'scheme', 'method', 'type'),
    expires_at: maybeText(from, 'expires_at'),
    params: maybeObject(from, 'params'),
  }),
  'session.accepted': (from) => {
    const runtime = object(from, 'runtime')
    const lease = maybeObject(from, 'lease')
    return {
      session_id: name(from, 'session_id'),
      runtime: {
        kind: text(runtime, 'kind'),
        version: text(runtime, 'version'),
        fingerprint: maybeText(runtime, 'fingerprint'),
        trust_level: maybeText(runtime, 'trust_level'),
      },
      capabilities: maybeObject(from, 'capabilities') ?? {},
      lease: lease && { expires_at: time(lease, 'expires_at') },
    }
  },
  'session.rejected': readError,
  'session.unauthenticated': (from) => ({ reason: text(from, 'reason', 'message', 'code'), code: maybeText(from, 'code') }),
  'session.refresh': (from) => ({
    reason: maybeText(from, 'reason') ?? 'refresh',
    deadline_ms: maybeCount(from, 'deadline_ms'),
    scheme: maybeText(from, 'scheme'),
    challenge: maybeText(from, 'challenge', 'nonce'),
  }),
  'session.evicted': readEvicted,
  ping: (from) => ({ nonce: maybeText(from, 'nonce') }),
  pong: (from) => ({ ack_for: maybeText(from, 'ack_for'), received_at: maybeText(from, 'received_at'), nonce: maybeText(from, 'nonce') }),
  ack: (from) => ({ ack_for: maybeText(from, 'ack_for'), received_at: maybeText(from, 'received_at'), message: maybeText(from, 'message', 'note') }),
  nack: (from, at) => ({ ...readError(from, at), ack_for: maybeText(from, 'ack_for') }),
  'tool.result': readResult,
  'tool.error': readError,
  'job.accepted': (from, at) => ({ job_id: name({ ...at, ...from }, 'job_id'), accepted_at: maybeText(from, 'accepted_at') }),
  'job.started': (from, at) => ({ job_id: name({ ...at, ...from }, 'job_id'), started_at: maybeText(from, 'started_at') }),
  'job.progress': readProgress,
  'job.heartbeat': (from) => ({
    sequence: maybeCount(from, 'sequence') ?? 0,
    deadline_ms: number(from, 'deadline_ms'),
    state: word(from, 'state', JOB_STATES),
  }),
  'job.checkpoint': (from) => ({ checkpoint_id: name(from, 'checkpoint_id'), snapshot: from.snapshot }),
  'job.completed': readResult,
  'job.failed': readError,
  'job.cancelled': (from) => ({ reason: maybeText(from, 'reason'), source: maybeText(from, 'source'), code: maybeText(from, 'code') }),
  'stream.open': readStreamOpen,
  'stream.chunk': (from) => ({
    sequence: maybeCount(from, 'sequence'),
    content_type: maybeText(from, 'content_type'),
    sha256: maybeText(from, 'sha256'),
    data: from.data,
    event: from.event,
    log: maybeObject(from, 'log'),
    metric: maybeObject(from, 'metric'),
    role: maybeText(from, 'role'),
    content: maybeText(from, 'content'),
    redacted: maybeFlag(from, 'redacted'),
  }),
  'stream.close': (from) => ({ reason: maybeText(from, 'reason'), total_chunks: maybeCount(from, 'total_chunks') }),
  'stream.error': readError,
  log: (from) => ({
    level: from.level === 'fatal' ? 'critical' : word(from, 'level', LOG_LEVELS),
    message: text(from, 'message'),
    attributes: maybeObject(from, 'attributes'),
  }),
  metric: readMetric,
}
