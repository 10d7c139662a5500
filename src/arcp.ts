export { ArcpClient } from './protocols/arcp/client/arcp-client.ts'
export type { ArcpClientOptions } from './protocols/arcp/client/arcp-client-options.ts'
export type { ArcpJobHandle, ArcpResult } from './protocols/arcp/client/arcp-job.ts'
export type { ArcpJobList, ArcpListedJob } from './protocols/arcp/client/list-jobs.ts'
export type { ArcpSubscription } from './protocols/arcp/client/arcp-subscription.ts'
export { toolClient } from './protocols/arcp/client/tool-client.ts'
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
export type { ArcpJobState } from './protocols/arcp/values/job-states.ts'
export type { ArcpMessage } from './protocols/arcp/read/message.ts'
export { readAnyMessage as readArcpMessage } from './protocols/arcp/read/read-any-message.ts'
export type { ArcpRequest } from './protocols/arcp/request.ts'
export type { ArcpArtifactRef } from './protocols/arcp/schema/artifacts.ts'
export type { DuplexConnection, DuplexTransport } from './wire/duplex-transport.ts'
export { memoryTransport } from './wire/memory-transport.ts'
export { webSocketTransport } from './wire/web-socket-transport.ts'
export type { CommandResult } from './seam/command.ts'
