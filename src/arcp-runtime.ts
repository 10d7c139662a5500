export { ArcpFault } from './runtime/arcp/message/arcp-fault.ts'
export type { ArcpFaultOptions } from './runtime/arcp/message/arcp-fault.ts'
export { createArcpRuntime } from './runtime/arcp/arcp-runtime.ts'
export type { ArcpRuntime, ArcpSessionInfo } from './runtime/arcp/arcp-runtime.ts'
export type {
  ArcpChallengeAnswer,
  ArcpJwtOptions,
  ArcpPrincipal,
  ArcpRuntimeAuth,
  ArcpVerified,
} from './runtime/arcp/session/authenticate.ts'
export type { Fault, FaultFrame, FaultHook } from './runtime/arcp/connection/faulty-connection.ts'
export type { JobEndings } from './runtime/arcp/job/runtime-job.ts'
export type {
  ArcpArtifactLimits,
  ArcpPrincipalLimits,
  ArcpExtensionHandler,
  ArcpRuntimeIdentity,
  ArcpRuntimeOptions,
} from './runtime/arcp/connection/runtime-options.ts'
export { toArcpUpgradeListener } from './runtime/arcp/node/arcp-upgrade-listener.ts'
export type { ArcpUpgradeListenerOptions } from './runtime/arcp/node/arcp-upgrade-listener.ts'
export type { ArcpEviction } from './runtime/arcp/connection/served-session.ts'
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
} from './runtime/arcp/job/tool.ts'
export type { NodeRequest } from './server/node/node-http.ts'
export type {
  AcceptedWebSocket,
  NodeSocket,
  NodeUpgradeListener,
  WebSocketAcceptor,
} from './server/node/node-upgrade-listener.ts'
export type { DuplexConnection, DuplexLimits } from './wire/duplex-transport.ts'
export { webSocketConnection } from './wire/web-socket-connection.ts'
export type { WebSocketConnectionOptions, WebSocketLike } from './wire/web-socket-connection.ts'
