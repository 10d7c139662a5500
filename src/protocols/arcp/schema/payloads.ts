import * as z from 'zod/mini'
import { artifactFetchSchema, artifactPutSchema, artifactRefSchema } from './artifacts.ts'
import { errorSchema } from './error.ts'
import {
  agentDelegateSchema,
  agentHandoffSchema,
  jobAcceptedSchema,
  jobCancelledSchema,
  jobCheckpointSchema,
  jobHeartbeatSchema,
  jobProgressSchema,
  jobScheduleSchema,
  jobStartedSchema,
  resultSchema,
  toolInvokeSchema,
  workflowCompleteSchema,
  workflowStartSchema,
} from './execution.ts'
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
import { streamChunkSchema, streamCloseSchema, streamOpenSchema } from './streaming.ts'
import {
  subscribeAcceptedSchema,
  subscribeClosedSchema,
  subscribeEventSchema,
  subscribeSchema,
  unsubscribeSchema,
} from './subscriptions.ts'
import { eventEmitSchema, logSchema, metricSchema, traceSpanSchema } from './telemetry.ts'
import { dateTime, jsonObject, maybeText, name, optional, text, number, count, flag, hasOneOf } from './json-schemas.ts'

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
