import { type JsonObject, isJsonObject } from '../../../base/json-object.ts'
import type { AgentPart } from '../../../seam/agent-event.ts'
import type { ArcpEnvelope } from '../schema/envelope.ts'
import type { ArcpPayload, ArcpType, ArcpResultPayload, ArcpArtifactRef, ArcpErrorPayload } from '../schema/payloads.ts'
import { ValidationError } from '../../../base/format/validation-error.ts'
import { isDateTime } from '../values/date-time.ts'
import { JOB_STATES, isExtensionName, LOG_LEVELS, RESERVED_UNITS } from '../values/vocabulary.ts'

type Envelope = Omit<ArcpEnvelope, 'type' | 'payload'>

/** The core types that a client reads. */
export type ArcpReceivedType = Extract<
  ArcpType,
  | 'session.challenge'
  | 'session.accepted'
  | 'session.rejected'
  | 'session.unauthenticated'
  | 'session.refresh'
  | 'session.evicted'
  | 'ping'
  | 'pong'
  | 'ack'
  | 'nack'
  | 'cancel.accepted'
  | 'cancel.refused'
  | 'backpressure'
  | 'tool.result'
  | 'tool.error'
  | `job.${'accepted' | 'started' | 'progress' | 'heartbeat' | 'checkpoint' | 'completed' | 'failed' | 'cancelled'}`
  | `stream.${string}`
  | `human.${string}`
  | 'permission.request'
  | `lease.${'granted' | 'extended' | 'revoked'}`
  | `subscribe.${string}`
  | 'artifact.put'
  | 'artifact.ref'
  | 'event.emit'
  | 'log'
  | 'metric'
  | 'trace.span'
>

/** The types that many jobs never send: what reads them is loaded with the first of them. */
export type ArcpRareType = Extract<
  ArcpReceivedType,
  | `cancel.${string}`
  | 'backpressure'
  | `human.${string}`
  | 'permission.request'
  | `lease.${string}`
  | `subscribe.${string}`
  | `artifact.${string}`
  | 'event.emit'
  | 'trace.span'
>

/** The core types that a client sends. It reads none of them: those that come are its own, in a replay. */
export type ArcpSentType = Exclude<ArcpType, ArcpReceivedType>

/** A message of a type of the core, as a client reads it. */
type ArcpReceived = {
  readonly [Type in ArcpReceivedType]: Envelope & { readonly type: Type; readonly payload: ArcpPayload<Type> }
}[ArcpReceivedType]

/** A message of an extension: `name` is its type. */
export type ArcpExtension = Envelope & {
  readonly type: 'extension'
  readonly name: string
  readonly payload: JsonObject
  /** How a chat shows it, where a dialect knows that. Absent: as a part of type `unknown`. */
  readonly part?: AgentPart | undefined
  /** The part that it replaces or begins. Absent: one of its own. */
  readonly partId?: string | undefined
}

/** A message that a client sends, and that came back in a replay: `name` is its type. Its payload was not read. */
export type ArcpEcho = Envelope & { readonly type: 'echo'; readonly name: ArcpSentType; readonly payload: JsonObject }

/** A message that came, with the members that the RFC names, whichever runtime sent it. */
export type ArcpMessage = ArcpReceived | ArcpExtension | ArcpEcho

/** The member under the first of these keys that is there; null counts as absent. Runtimes differ in their names. */
export function member(from: JsonObject, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = from[key]
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

function required<Value>(value: Value | undefined, keys: readonly string[], what: string): Value {
  if (value === undefined) throw new ValidationError(`${keys[0]} must be ${what}`)
  return value
}

export function maybeText(from: JsonObject, ...keys: readonly string[]): string | undefined {
  const value = member(from, keys)
  if (value !== undefined && typeof value !== 'string') throw new ValidationError(`${keys[0]} must be a string`)
  return value
}

export function text(from: JsonObject, ...keys: readonly string[]): string {
  return required(maybeText(from, ...keys), keys, 'a string')
}

/** A text that is not empty. */
export function name(from: JsonObject, ...keys: readonly string[]): string {
  return required(maybeText(from, ...keys) || undefined, keys, 'a string that is not empty')
}

export function maybeNumber(from: JsonObject, ...keys: readonly string[]): number | undefined {
  const value = member(from, keys)
  if (value !== undefined && typeof value !== 'number') throw new ValidationError(`${keys[0]} must be a number`)
  return value
}

export function number(from: JsonObject, ...keys: readonly string[]): number {
  return required(maybeNumber(from, ...keys), keys, 'a number')
}

export function maybeCount(from: JsonObject, ...keys: readonly string[]): number | undefined {
  const value = maybeNumber(from, ...keys)
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
    throw new ValidationError(`${keys[0]} must be a whole number and not negative`)
  return value
}

export function maybeFlag(from: JsonObject, key: string): boolean | undefined {
  const value = member(from, [key])
  if (value !== undefined && typeof value !== 'boolean') throw new ValidationError(`${key} must be true or false`)
  return value
}

export function maybeObject(from: JsonObject, ...keys: readonly string[]): JsonObject | undefined {
  const value = member(from, keys)
  if (value !== undefined && !isJsonObject(value)) throw new ValidationError(`${keys[0]} must be an object`)
  return value
}

export function object(from: JsonObject, ...keys: readonly string[]): JsonObject {
  return required(maybeObject(from, ...keys), keys, 'an object')
}

export function maybeTime(from: JsonObject, ...keys: readonly string[]): string | undefined {
  const value = maybeText(from, ...keys)
  if (value !== undefined && !isDateTime(value))
    throw new ValidationError(`${keys[0]} must be a date and time of RFC 3339`)
  return value
}

export function time(from: JsonObject, ...keys: readonly string[]): string {
  return required(maybeTime(from, ...keys), keys, 'a date and time of RFC 3339')
}

/** One of the words that the protocol has. */
export function word<const Word extends string>(from: JsonObject, key: string, words: readonly Word[]): Word {
  const value = words.find((each) => each === from[key])
  return required(value, [key], `one of ${words.join(', ')}`)
}

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
const PAYLOAD_READERS: PayloadReaders<Exclude<ArcpReceivedType, ArcpRareType>> = {
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
