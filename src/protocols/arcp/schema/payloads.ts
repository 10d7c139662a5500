import type * as z from 'zod/mini'
import { artifactFetchSchema, artifactPutSchema, artifactRefSchema } from './artifacts.ts'
import {
  ackSchema,
  backpressureSchema,
  cancelAcceptedSchema,
  cancelRefusedSchema,
  cancelSchema,
  checkpointSchema,
  interruptSchema,
  nackSchema,
  pingSchema,
  pongSchema,
  resumeSchema,
} from './control.ts'
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
  humanChoiceRequestSchema,
  humanChoiceResponseSchema,
  humanInputCancelledSchema,
  humanInputRequestSchema,
  humanInputResponseSchema,
} from './human.ts'
import {
  leaseExtendedSchema,
  leaseGrantedSchema,
  leaseRefreshSchema,
  leaseRevokedSchema,
  permissionDenySchema,
  permissionGrantSchema,
  permissionRequestSchema,
} from './permissions.ts'
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
