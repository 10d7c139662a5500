export { ArcpFault, type ArcpFaultOptions } from './runtime/message/arcp-fault.ts'
export { createArcpRuntime, type ArcpRuntime, type ArcpSessionInfo } from './runtime/arcp-runtime.ts'
export type { ArcpChallengeAnswer, ArcpRuntimeAuth, ArcpVerified } from './runtime/session/authenticate.ts'
export type { JobEndings } from './runtime/job/runtime-job.ts'
export type {
  ArcpArtifactLimits,
  ArcpPrincipalLimits,
  ArcpExtensionHandler,
  ArcpRuntimeIdentity,
  ArcpRuntimeOptions,
} from './runtime/connection/runtime-options.ts'
export { toArcpUpgradeListener, type ArcpUpgradeListenerOptions } from './runtime/arcp-upgrade-listener.ts'
export type { ArcpEviction } from './runtime/connection/served-session.ts'
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
} from './runtime/job/tool.ts'
export type { NodeRequest } from './server/node/node-http.ts'
export type {
  AcceptedWebSocket,
  NodeSocket,
  NodeUpgradeListener,
  WebSocketAcceptor,
} from './server/node/node-upgrade-listener.ts'
export type { DuplexConnect, DuplexConnection, DuplexLimits, DuplexTransport } from './wire/duplex-transport.ts'
export {
  webSocketConnection,
  type WebSocketConnectionOptions,
  type WebSocketLike,
} from './wire/web-socket-transport.ts'
export type { ArcpPrincipal } from './runtime/session/scope.ts'
export type { ArcpJwtOptions } from './runtime/session/verify-jwt.ts'
export {
  stdioConnection,
  stdioTransport,
  type StdioConnectionOptions,
  type StdioTransportOptions,
} from './wire/stdio-transport.ts'
