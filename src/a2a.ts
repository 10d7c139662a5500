export { A2AClient, type A2AClientOptions } from './protocols/a2a/client/a2a-client.ts'
export { AgentCardResolver } from './protocols/a2a/client/agent-card-resolver.ts'
export type { AgentCardSignatureState } from './protocols/a2a/client/signature-state.ts'
export type { AgentCard } from './protocols/a2a/agent-card.ts'
export { httpJsonTransport } from './protocols/a2a/client/http-json-transport.ts'
export {
  jsonRpcV03Transport,
  jsonRpcTransport,
  type A2AEndpointOptions,
} from './protocols/a2a/client/json-rpc-transport.ts'
export type {
  PushNotificationConfig,
  PushNotificationConfigPage,
  TaskPage,
} from './protocols/a2a/client/read-answers.ts'
export type { A2ACall, A2AFrames, A2ATransport } from './protocols/a2a/a2a-transport.ts'
export { A2AError } from './protocols/a2a/errors.ts'
export type { MessageRequest } from './protocols/a2a/request.ts'
export type { Artifact, Message, Part, StreamResponse, Task } from './protocols/a2a/messages.ts'
