export { ArcpClient, toolClient, type ArcpJobHandle, type ArcpResult } from './protocols/arcp/client/arcp-client.ts'
export type { ArcpClientOptions } from './protocols/arcp/client/arcp-connection.ts'
export type { ArcpJobList, ArcpListedJob } from './protocols/arcp/client/runtime-calls.ts'
export type { ArcpSubscription } from './protocols/arcp/client/arcp-subscription.ts'
export { ArcpError } from './protocols/arcp/errors.ts'
export type {
  ArcpArtifact,
  ArcpJob,
  ArcpLease,
  ArcpPrompt,
  ArcpSessionPhase,
  ArcpSessionState,
  ArcpState,
  ArcpStream,
} from './protocols/arcp/fold/arcp-state.ts'
export { EMPTY_STATE as emptyArcpState } from './protocols/arcp/fold/arcp-state.ts'
export { foldMessages as foldArcpMessages } from './protocols/arcp/fold/fold-messages.ts'
export type { ArcpJobState } from './protocols/arcp/values/vocabulary.ts'
export type { ArcpMessage } from './protocols/arcp/read/message.ts'
export { readAnyMessage as readArcpMessage } from './protocols/arcp/read/rare-payloads.ts'
export type { ArcpRequest } from './protocols/arcp/send-command.ts'
export type { ArcpArtifactRef } from './protocols/arcp/schema/payloads.ts'
export type { DuplexConnection, DuplexTransport } from './wire/duplex-transport.ts'
export { memoryTransport } from './wire/memory-transport.ts'
export { webSocketTransport } from './wire/web-socket-transport.ts'
export type { CommandResult } from './seam/command.ts'
