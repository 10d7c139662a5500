import * as z from 'zod/mini'
import {
  sessionAcceptedSchema,
  sessionAuthenticateSchema,
  sessionChallengeSchema,
  sessionCloseSchema,
  sessionEvictedSchema,
  sessionOpenSchema,
  sessionRefreshSchema,
  sessionUnauthenticatedSchema,
} from './session.ts'
import { dateTime, jsonObject, maybeText, name, optional, text, number, count, flag, hasOneOf } from './json-schemas.ts'
import { JOB_STATES, LOG_LEVELS, RESERVED_UNITS } from '../values/vocabulary.ts'

/** An error (RFC section 18.1). `code` is open text: the 21 names of the protocol, RATE_LIMITED, and namespaced ones. */
const errorSchema = /* @__PURE__ */ z.object({
  code: name,
  message: text,
  retryable: flag,
  details: optional(jsonObject),
  cause: optional(jsonObject),
  trace_id: maybeText,
})

const texts = /* @__PURE__ */ optional(z.array(text))

/** Fields are ANDed, the items of a list ORed. A key that is not known is a fault, so that no filter is wider than it was meant. */
const filterSchema = /* @__PURE__ */ z.strictObject({
  session_id: texts,
  job_id: texts,
  stream_id: texts,
  trace_id: texts,
  types: texts,
  min_priority: optional(z.enum(['low', 'normal', 'high', 'critical'])),
})

const subscribeSchema = /* @__PURE__ */ z.object({
  filter: filterSchema,
  since: optional(z.object({ after_message_id: maybeText })),
})

const subscribeAcceptedSchema = /* @__PURE__ */ z.object({ subscription_id: name })

const subscribeEventSchema = /* @__PURE__ */ z.object({ event: jsonObject })

const subscribeClosedSchema = /* @__PURE__ */ z.object({
  subscription_id: maybeText,
  reason: text,
  code: maybeText,
})

const unsubscribeSchema = /* @__PURE__ */ z.object({ subscription_id: maybeText })

/** Where an artifact is, and what. `data` is there only in the answer to a fetch of the Python SDK. */
export const artifactRefSchema = /* @__PURE__ */ z.object({
  artifact_id: name,
  uri: maybeText,
  media_type: text,
  size: optional(count),
  sha256: maybeText,
  expires_at: optional(dateTime),
  data: maybeText,
})

/** `data` is base64. */
const artifactPutSchema = /* @__PURE__ */ z.object({
  media_type: text,
  data: maybeText,
  encoding: maybeText,
  artifact_id: maybeText,
  ttl_seconds: optional(number),
  size: optional(count),
  sha256: maybeText,
})

const artifactFetchSchema = /* @__PURE__ */ z.object({ artifact_id: name })

const eventEmitSchema = /* @__PURE__ */ z.object({ name, attrs: optional(jsonObject) })

const logSchema = /* @__PURE__ */ z.object({
  level: z.enum(LOG_LEVELS),
  message: text,
  attributes: optional(jsonObject),
})

/** A reserved name (RFC section 17.3.1) has its unit, or none is given. */
const metricSchema = /* @__PURE__ */ z
  .object({ name, value: number, unit: maybeText, dims: optional(jsonObject) })
  .check(
    z.refine(
      (metric) => metric.unit === undefined || (RESERVED_UNITS[metric.name] ?? metric.unit) === metric.unit,
      'must have the unit that is reserved for its name',
    ),
  )

const traceSpanSchema = /* @__PURE__ */ z.object({
  trace_id: name,
  span_id: name,
  parent_span_id: maybeText,
  name: text,
  start_time: text,
  duration_ms: optional(number),
  status: maybeText,
  attributes: optional(jsonObject),
})

/** `kind` is text, binary, event, log, metric or thought; any other is shown as an event. */
const streamOpenSchema = /* @__PURE__ */ z.object({
  kind: text,
  content_type: maybeText,
  encoding: maybeText,
  related_job_id: maybeText,
})

/** One piece of a stream; which members it has depends on the kind. Without `sequence` the order is that of arrival. */
const streamChunkSchema = /* @__PURE__ */ z.object({
  sequence: optional(count),
  content_type: maybeText,
  sha256: maybeText,
  data: z.optional(z.unknown()),
  event: z.optional(z.unknown()),
  log: optional(jsonObject),
  metric: optional(jsonObject),
  role: maybeText,
  content: maybeText,
  redacted: flag,
})

const streamCloseSchema = /* @__PURE__ */ z.object({ reason: maybeText, total_chunks: optional(count) })

const toolInvokeSchema = /* @__PURE__ */ z.object({ tool: name, arguments: optional(jsonObject) })

/** Neither member: the tool gives nothing. */
const resultSchema = /* @__PURE__ */ z
  .object({ value: z.optional(z.unknown()), result_ref: optional(artifactRefSchema) })
  .check(
    z.refine(
      ({ value, result_ref: ref }) => value === undefined || ref === undefined,
      'must not have both value and result_ref',
    ),
  )

const jobAcceptedSchema = /* @__PURE__ */ z.object({ job_id: name, accepted_at: maybeText })

const jobStartedSchema = /* @__PURE__ */ z.object({ job_id: name, started_at: maybeText })

const jobProgressSchema = /* @__PURE__ */ z.object({
  percent: optional(z.number().check(z.gte(0, 'must be 0 to 100'), z.lte(100, 'must be 0 to 100'))),
  message: maybeText,
  current: optional(number),
  total: optional(number),
})

const jobHeartbeatSchema = /* @__PURE__ */ z.object({
  sequence: count,
  deadline_ms: number,
  state: z.enum(JOB_STATES),
})

const jobCheckpointSchema = /* @__PURE__ */ z.object({
  checkpoint_id: name,
  snapshot: z.optional(z.unknown()),
})

const jobCancelledSchema = /* @__PURE__ */ z.object({ reason: maybeText, source: maybeText, code: maybeText })

const jobScheduleSchema = /* @__PURE__ */ z.object({
  job: jsonObject,
  when: z
    .object({ at: optional(dateTime), every: z.optional(z.unknown()), after: z.optional(z.unknown()) })
    .check(
      z.refine(
        (when) => Object.values(when).filter((each) => each !== undefined).length === 1,
        'must have exactly one of at, every and after',
      ),
    ),
})

const workflowStartSchema = /* @__PURE__ */ z.object({ workflow: name, inputs: optional(jsonObject) })

const workflowCompleteSchema = /* @__PURE__ */ z.object({ outputs: optional(jsonObject) })

const agentDelegateSchema = /* @__PURE__ */ z.object({
  target: name,
  task: text,
  context: optional(jsonObject),
})

const agentHandoffSchema = /* @__PURE__ */ z.object({
  target: optional(z.unknown()),
  context: optional(jsonObject),
  reason: maybeText,
})

const pingSchema = /* @__PURE__ */ z.object({ nonce: maybeText })

const pongSchema = /* @__PURE__ */ z.object({ ack_for: maybeText, received_at: maybeText, nonce: maybeText })

const ackSchema = /* @__PURE__ */ z.object({ ack_for: maybeText, received_at: maybeText, message: maybeText })

const nackSchema = /* @__PURE__ */ z.extend(errorSchema, { ack_for: maybeText })

const target = /* @__PURE__ */ z.enum(['job', 'stream', 'session'])

const cancelSchema = /* @__PURE__ */ z.object({
  target,
  target_id: name,
  reason: maybeText,
  deadline_ms: optional(count),
})

const cancelAcceptedSchema = /* @__PURE__ */ z.object({ target: optional(target), target_id: maybeText })

/** `reason` is not_cancellable, already_terminal or not_found, or what else a runtime says. */
const cancelRefusedSchema = /* @__PURE__ */ z.object({
  target: optional(target),
  target_id: maybeText,
  reason: text,
})

const interruptSchema = /* @__PURE__ */ z
  .object({
    target: optional(target),
    target_id: maybeText,
    prompt: maybeText,
    job_id: maybeText,
    reason: maybeText,
  })
  .check(hasOneOf('target_id', 'job_id'))

const resumeSchema = /* @__PURE__ */ z.object({
  after_message_id: maybeText,
  checkpoint_id: maybeText,
  include_open_streams: flag,
})

const backpressureSchema = /* @__PURE__ */ z.object({
  desired_rate_per_second: optional(number),
  buffer_remaining_bytes: optional(number),
  reason: maybeText,
})

const checkpointSchema = /* @__PURE__ */ z.object({
  checkpoint_id: maybeText,
  label: maybeText,
  snapshot: optional(jsonObject),
})

const permissionRequestSchema = /* @__PURE__ */ z.object({
  permission: text,
  resource: text,
  operation: text,
  reason: maybeText,
  requested_lease_seconds: optional(number),
})

/** `lease_seconds` is what all three published SDKs read. */
const permissionGrantSchema = /* @__PURE__ */ z.object({
  permission: maybeText,
  resource: maybeText,
  operation: maybeText,
  lease_id: maybeText,
  lease_seconds: optional(number),
  granted_by: maybeText,
  expires_at: optional(dateTime),
})

const permissionDenySchema = /* @__PURE__ */ z.object({
  permission: maybeText,
  resource: maybeText,
  operation: maybeText,
  reason: maybeText,
  code: maybeText,
})

const leaseGrantedSchema = /* @__PURE__ */ z.object({
  lease_id: name,
  permission: text,
  resource: text,
  operation: text,
  expires_at: dateTime,
})

const leaseExtendedSchema = /* @__PURE__ */ z.object({ lease_id: name, expires_at: dateTime })

const leaseRevokedSchema = /* @__PURE__ */ z.object({ lease_id: name, reason: text })

const leaseRefreshSchema = /* @__PURE__ */ z.object({
  lease_id: name,
  requested_seconds: optional(number),
  extension_seconds: optional(number),
})

const humanInputRequestSchema = /* @__PURE__ */ z.object({
  prompt: text,
  response_schema: optional(jsonObject),
  default: z.optional(z.unknown()),
  expires_at: optional(dateTime),
  destination: z.optional(z.unknown()),
})

const humanInputResponseSchema = /* @__PURE__ */ z.object({
  value: z.unknown(),
  responded_by: maybeText,
  responded_at: maybeText,
})

const humanChoiceRequestSchema = /* @__PURE__ */ z.object({
  prompt: text,
  options: z
    .array(z.object({ id: name, label: text, description: maybeText }))
    .check(z.minLength(1, 'must have an option')),
  expires_at: optional(dateTime),
  default: maybeText,
})

const humanChoiceResponseSchema = /* @__PURE__ */ z.object({
  choice_id: name,
  responded_by: maybeText,
  responded_at: maybeText,
})

const humanInputCancelledSchema = /* @__PURE__ */ z.object({ code: text, message: maybeText })

/** The payload of each of the 66 core types of ARCP 1.0. */
// oxfmt-ignore
export const payloadSchemas = {
  'session.open': sessionOpenSchema,
  'session.challenge': sessionChallengeSchema,
  'session.authenticate': sessionAuthenticateSchema,
  'session.accepted': sessionAcceptedSchema,
  'session.rejected': errorSchema,
  'session.unauthenticated': sessionUnauthenticatedSchema,
  'session.refresh': sessionRefreshSchema,
  'session.evicted': sessionEvictedSchema,
  'session.close': sessionCloseSchema,
  ping: pingSchema,
  pong: pongSchema,
  ack: ackSchema,
  nack: nackSchema,
  cancel: cancelSchema,
  'cancel.accepted': cancelAcceptedSchema,
  'cancel.refused': cancelRefusedSchema,
  interrupt: interruptSchema,
  resume: resumeSchema,
  backpressure: backpressureSchema,
  'checkpoint.create': checkpointSchema,
  'checkpoint.restore': checkpointSchema,
  'tool.invoke': toolInvokeSchema,
  'tool.result': resultSchema,
  'tool.error': errorSchema,
  'job.accepted': jobAcceptedSchema,
  'job.started': jobStartedSchema,
  'job.progress': jobProgressSchema,
  'job.heartbeat': jobHeartbeatSchema,
  'job.checkpoint': jobCheckpointSchema,
  'job.completed': resultSchema,
  'job.failed': errorSchema,
  'job.cancelled': jobCancelledSchema,
  'job.schedule': jobScheduleSchema,
  'workflow.start': workflowStartSchema,
  'workflow.complete': workflowCompleteSchema,
  'agent.delegate': agentDelegateSchema,
  'agent.handoff': agentHandoffSchema,
  'stream.open': streamOpenSchema,
  'stream.chunk': streamChunkSchema,
  'stream.close': streamCloseSchema,
  'stream.error': errorSchema,
  'human.input.request': humanInputRequestSchema,
  'human.input.response': humanInputResponseSchema,
  'human.choice.request': humanChoiceRequestSchema,
  'human.choice.response': humanChoiceResponseSchema,
  'human.input.cancelled': humanInputCancelledSchema,
  'permission.request': permissionRequestSchema,
  'permission.grant': permissionGrantSchema,
  'permission.deny': permissionDenySchema,
  'lease.granted': leaseGrantedSchema,
  'lease.extended': leaseExtendedSchema,
  'lease.revoked': leaseRevokedSchema,
  'lease.refresh': leaseRefreshSchema,
  subscribe: subscribeSchema,
  'subscribe.accepted': subscribeAcceptedSchema,
  'subscribe.event': subscribeEventSchema,
  'subscribe.closed': subscribeClosedSchema,
  unsubscribe: unsubscribeSchema,
  'artifact.put': artifactPutSchema,
  'artifact.ref': artifactRefSchema,
  'artifact.fetch': artifactFetchSchema,
  'artifact.release': artifactFetchSchema,
  'event.emit': eventEmitSchema,
  log: logSchema,
  metric: metricSchema,
  'trace.span': traceSpanSchema,
} as const

/** A core type of ARCP 1.0. */
export type ArcpType = keyof typeof payloadSchemas

/** What a message of a type carries. */
export type ArcpPayload<Type extends ArcpType> = z.output<(typeof payloadSchemas)[Type]>

/** What a tool gives. */
export type ArcpResultPayload = z.output<typeof resultSchema>

/** One piece of a stream. */
export type ArcpChunk = z.output<typeof streamChunkSchema>

/** An entry of a log. */
export type ArcpLog = z.output<typeof logSchema>

/** A measurement. */
export type ArcpMetric = z.output<typeof metricSchema>

/** Where an artifact is, and what. */
export type ArcpArtifactRef = z.output<typeof artifactRefSchema>

/** What a subscription is about. Fields are ANDed, the items of a list ORed. */
export type ArcpFilter = z.output<typeof filterSchema>

/** An error of the protocol, as it travels. */
export type ArcpErrorPayload = z.output<typeof errorSchema>
