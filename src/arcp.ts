export { ArcpClient } from './protocols/arcp/client/arcp-client.ts'
export type {
  ArcpCallOptions,
  ArcpClientIdentity,
  ArcpClientOptions,
  ArcpInvokeOptions,
  ArcpPutOptions,
  ArcpSubscribeOptions,
} from './protocols/arcp/client/arcp-client-options.ts'
export type { ArcpJobHandle, ArcpResult } from './protocols/arcp/client/arcp-job.ts'
export type { ArcpJobFilter, ArcpJobList, ArcpListedJob } from './protocols/arcp/client/list-jobs.ts'
export type { ArcpSubscription } from './protocols/arcp/client/arcp-subscription.ts'
export { toolClient, type ToolClientOptions } from './protocols/arcp/client/tool-client.ts'
export type { ArcpAuth } from './protocols/arcp/auth.ts'
export { eventSchemas as arcpDialectEventSchemas } from './protocols/arcp/dialect-1-1/schema/events.ts'
export { frameSchema as arcpDialectMessageSchema } from './protocols/arcp/dialect-1-1/schema/frame.ts'
export { framePayloadSchemas as arcpDialectPayloadSchemas } from './protocols/arcp/dialect-1-1/schema/payloads.ts'
export { ArcpError } from './protocols/arcp/errors.ts'
export {
  EMPTY_STATE as emptyArcpState,
  type ArcpArtifact,
  type ArcpJob,
  type ArcpLease,
  type ArcpLogEntry,
  type ArcpMetricSum,
  type ArcpPrompt,
  type ArcpPromptState,
  type ArcpSessionPhase,
  type ArcpSessionState,
  type ArcpState,
  type ArcpStream,
  type ArcpSubscriptionState,
} from './protocols/arcp/fold/arcp-state.ts'
export { foldMessages as foldArcpMessages } from './protocols/arcp/fold/fold-messages.ts'
export type { ArcpHandle, AskedPrompt } from './protocols/arcp/read/handle.ts'
export type { ArcpJobState } from './protocols/arcp/values/job-states.ts'
export type {
  ArcpEcho,
  ArcpExtension,
  ArcpMessage,
  ArcpReceived,
  ArcpReceivedType,
  ArcpSentType,
} from './protocols/arcp/read/message.ts'
export { readAnyMessage as readArcpMessage } from './protocols/arcp/read/read-any-message.ts'
export type { ArcpJobBounds, ArcpRequest } from './protocols/arcp/request.ts'
export type { ArcpArtifactRef } from './protocols/arcp/schema/artifacts.ts'
export {
  envelopeSchema,
  messageSchema as arcpMessageSchema,
  type ArcpEnvelope,
} from './protocols/arcp/schema/envelope.ts'
export type { ArcpErrorPayload } from './protocols/arcp/schema/error.ts'
export { payloadSchemas, type ArcpPayload, type ArcpType } from './protocols/arcp/schema/payloads.ts'
export type { ArcpCapabilities } from './protocols/arcp/schema/session.ts'
export type { ArcpFilter } from './protocols/arcp/schema/subscriptions.ts'
export type { ArcpLog } from './protocols/arcp/schema/telemetry.ts'
export type { ApiKey, CredentialContext } from './wire/credential.ts'
export type { DuplexConnect, DuplexConnection, DuplexLimits, DuplexTransport } from './wire/duplex-transport.ts'
export { memoryTransport } from './wire/memory-transport.ts'
export {
  webSocketTransport,
  type WebSocketLike,
  type WebSocketConstructor,
  type WebSocketTransportOptions,
} from './wire/web-socket-transport.ts'
