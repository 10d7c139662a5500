export { ArcpFault } from './runtime/arcp/arcp-fault.ts'
export type { ArcpFaultOptions } from './runtime/arcp/arcp-fault.ts'
export { createArcpRuntime } from './runtime/arcp/arcp-runtime.ts'
export type { ArcpRuntime, ArcpSessionInfo } from './runtime/arcp/arcp-runtime.ts'
export type {
  ArcpChallengeAnswer,
  ArcpJwtOptions,
  ArcpPrincipal,
  ArcpRuntimeAuth,
  ArcpVerified,
} from './runtime/arcp/authenticate.ts'
export type { Fault, FaultFrame, FaultHook } from './runtime/arcp/faulty-connection.ts'
export type { JobEndings } from './runtime/arcp/job.ts'
export type {
  ArcpArtifactLimits,
  ArcpExtensionHandler,
  ArcpRuntimeIdentity,
  ArcpRuntimeOptions,
} from './runtime/arcp/runtime-options.ts'
export type { ArcpEviction } from './runtime/arcp/served-session.ts'
export type {
  ArcpAnswered,
  ArcpArtifactOptions,
  ArcpChoiceQuestion,
  ArcpGrantedLease,
  ArcpInputQuestion,
  ArcpPermissionQuestion,
  ArcpProgress,
  ArcpStreamChunks,
  ArcpStreamWriter,
  ArcpTool,
  ArcpToolContext,
  ArcpToolDefinition,
  ArcpToolFunction,
} from './runtime/arcp/tool.ts'
export { acceptWebSocket } from './wire/accept-web-socket.ts'
export type { AcceptWebSocketOptions } from './wire/accept-web-socket.ts'
