import { isJsonObject } from '../../../base/json-object.ts'
import type { ArcpPayload } from '../schema/payloads.ts'
import { ValidationError } from '../../../base/format/validation-error.ts'
import {
  maybeCount,
  maybeNumber,
  maybeObject,
  maybeText,
  maybeTime,
  member,
  name,
  object,
  text,
  time,
  type ArcpRareType,
  type ArcpSentType,
  type PayloadReader,
  type PayloadReaders,
  readRef,
  type RareReaders,
  type ArcpMessage,
  readMessage,
} from './message.ts'

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

const readOption: PayloadReader<ArcpPayload<'human.choice.request'>['options'][number]> = (from) => ({
  id: name(from, 'id'),
  label: text(from, 'label'),
  description: maybeText(from, 'description'),
})

const readChoice: PayloadReader<ArcpPayload<'human.choice.request'>> = (from, at) => {
  const { options } = from
  if (!Array.isArray(options) || !options.every(isJsonObject) || options.length === 0)
    throw new ValidationError('options must be a list of objects that is not empty')
  return {
    prompt: text(from, 'prompt'),
    options: options.map((option) => readOption(option, at)),
    expires_at: maybeTime(from, 'expires_at'),
    default: maybeText(from, 'default', 'default_choice_id'),
  }
}

const readEvent: PayloadReader<ArcpPayload<'event.emit'>> = (from) => {
  const data = member(from, ['attrs', 'attributes', 'data'])
  return {
    name: name(from, 'name', 'type', 'kind'),
    attrs: data === undefined || isJsonObject(data) ? data : { data },
  }
}

// oxfmt-ignore
const RARE_PAYLOAD_READERS: PayloadReaders<ArcpRareType> = {
  'cancel.accepted': (from) => ({ target_id: maybeText(from, 'target_id') }),
  'cancel.refused': (from) => ({
    target_id: maybeText(from, 'target_id'),
    reason: text(from, 'reason', 'code').toLowerCase().replaceAll(' ', '_'),
  }),
  backpressure: (from) => ({ desired_rate_per_second: maybeNumber(from, 'desired_rate_per_second'), reason: maybeText(from, 'reason') }),
  'human.input.request': (from) => ({
    prompt: text(from, 'prompt'),
    response_schema: maybeObject(from, 'response_schema'),
    default: from.default,
    expires_at: maybeTime(from, 'expires_at'),
    destination: from.destination,
  }),
  'human.input.response': (from) => ({ value: from.value, responded_by: maybeText(from, 'responded_by'), responded_at: maybeText(from, 'responded_at') }),
  'human.choice.request': readChoice,
  'human.choice.response': (from) => ({ choice_id: name(from, 'choice_id'), responded_by: maybeText(from, 'responded_by'), responded_at: maybeText(from, 'responded_at') }),
  'human.input.cancelled': (from) => ({ code: maybeText(from, 'code') ?? 'CANCELLED', message: maybeText(from, 'message', 'reason') }),
  'permission.request': (from) => ({
    permission: text(from, 'permission'),
    resource: text(from, 'resource'),
    operation: text(from, 'operation'),
    reason: maybeText(from, 'reason'),
    requested_lease_seconds: maybeNumber(from, 'requested_lease_seconds'),
  }),
  'lease.granted': (from) => ({
    lease_id: name(from, 'lease_id'),
    permission: text(from, 'permission'),
    resource: text(from, 'resource'),
    operation: text(from, 'operation'),
    expires_at: time(from, 'expires_at'),
  }),
  'lease.extended': (from) => ({ lease_id: name(from, 'lease_id'), expires_at: time(from, 'expires_at') }),
  'lease.revoked': (from) => ({ lease_id: name(from, 'lease_id'), reason: maybeText(from, 'reason', 'code') ?? 'revoked' }),
  'subscribe.accepted': (from, at) => ({ subscription_id: name({ ...at, ...from }, 'subscription_id') }),
  'subscribe.event': (from) => ({ event: object(from, 'event') }),
  'subscribe.closed': (from, at) => ({
    subscription_id: maybeText(from, 'subscription_id') ?? maybeText(at, 'subscription_id'),
    reason: text(from, 'reason', 'code'),
    code: maybeText(from, 'code'),
  }),
  'artifact.put': (from) => ({
    media_type: text(from, 'media_type'),
    data: maybeText(from, 'data'),
    encoding: maybeText(from, 'encoding'),
    artifact_id: maybeText(from, 'artifact_id'),
    ttl_seconds: maybeNumber(from, 'ttl_seconds'),
    size: maybeCount(from, 'size'),
    sha256: maybeText(from, 'sha256'),
  }),
  'artifact.ref': readRef,
  'event.emit': readEvent,
  'trace.span': (from) => ({
    trace_id: name(from, 'trace_id'),
    span_id: name(from, 'span_id'),
    parent_span_id: maybeText(from, 'parent_span_id'),
    name: text(from, 'name'),
    start_time: text(from, 'start_time', 'started_at', 'start'),
    duration_ms: maybeNumber(from, 'duration_ms'),
    status: maybeText(from, 'status'),
    attributes: maybeObject(from, 'attributes'),
  }),
}

function isRareType(type: string): type is ArcpRareType {
  return Object.hasOwn(RARE_PAYLOAD_READERS, type)
}

/** What a client reads of the types that many jobs never send. */
export const rareReaders: RareReaders = {
  readerOf: (type) => (isRareType(type) ? RARE_PAYLOAD_READERS[type] : undefined),
  isSent: (type): type is ArcpSentType => Object.hasOwn(SENT, type),
}

/** A message of ARCP 1.0, with the members that the RFC names. @throws ValidationError for anything else, also for an unknown core type */
export function readAnyMessage(value: unknown): ArcpMessage {
  return readMessage(value, rareReaders)
}
