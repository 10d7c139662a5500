export { A2AClient } from './protocols/a2a/client/a2a-client.ts'
export type { A2AClientOptions } from './protocols/a2a/client/a2a-client-options.ts'
export { AgentCardResolver } from './protocols/a2a/client/agent-card-resolver.ts'
export type { AgentCardSignatureState } from './protocols/a2a/client/signature-state.ts'
export { httpJsonTransport } from './protocols/a2a/client/http-json-transport.ts'
export { jsonRpcV03Transport } from './protocols/a2a/client/json-rpc-v03-transport.ts'
export { jsonRpcTransport } from './protocols/a2a/client/json-rpc-transport.ts'
export type { A2AEndpointOptions } from './protocols/a2a/client/json-rpc-transport.ts'
export type {
  PushNotificationConfig,
  PushNotificationConfigPage,
  TaskPage,
} from './protocols/a2a/client/read-answers.ts'
export type { A2ACall, A2AFrames, A2ATransport } from './protocols/a2a/a2a-transport.ts'
export { A2AError } from './protocols/a2a/errors.ts'
export type { MessageRequest } from './protocols/a2a/request.ts'
export { agentCardSchema } from './protocols/a2a/schemas.ts'
export type { AgentCard } from './protocols/a2a/agent-card.ts'
export { messageSchema, partSchema } from './protocols/a2a/schemas.ts'
export type { Message, Part } from './protocols/a2a/messages.ts'
export { artifactSchema, streamResponseSchema, taskSchema } from './protocols/a2a/schemas.ts'
export type { Artifact, StreamResponse, Task } from './protocols/a2a/messages.ts'
