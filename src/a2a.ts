export { A2AClient } from './protocols/a2a/client/a2a-client.ts'
export type {
  A2ACallOptions,
  A2ACardClientOptions,
  A2AClientOptions,
  A2AClientSettings,
  A2AGetTaskOptions,
  A2AHttpClientOptions,
  A2APageOptions,
  A2ASendOptions,
} from './protocols/a2a/client/a2a-client-options.ts'
export type { A2AContext, A2AContextSource } from './protocols/a2a/client/a2a-request.ts'
export { AgentCardResolver } from './protocols/a2a/client/agent-card-resolver.ts'
export type { ResolveCardOptions } from './protocols/a2a/client/agent-card-resolver.ts'
export type {
  AgentCardSignatureState,
  SignatureKeyQuery,
  SignatureKeySource,
} from './protocols/a2a/client/signature-state.ts'
export type { A2AHttpOptions } from './protocols/a2a/client/http-calls.ts'
export { httpJsonTransport } from './protocols/a2a/client/http-json-transport.ts'
export { jsonRpcV03Transport } from './protocols/a2a/client/json-rpc-v03-transport.ts'
export { jsonRpcTransport } from './protocols/a2a/client/json-rpc-transport.ts'
export type { A2AEndpointOptions } from './protocols/a2a/client/json-rpc-transport.ts'
export type { A2AMessageInput } from './protocols/a2a/client/message-input.ts'
export type {
  PushNotificationConfig,
  PushNotificationConfigPage,
  TaskFilter,
  TaskPage,
} from './protocols/a2a/client/read-answers.ts'
export type { A2ACall, A2AFrame, A2AFrames, A2ATransport } from './protocols/a2a/a2a-transport.ts'
export { a2aProtocol } from './protocols/a2a/adapter.ts'
export type { A2AProtocolOptions } from './protocols/a2a/adapter.ts'
export { A2AError } from './protocols/a2a/errors.ts'
export type { A2AHandle } from './protocols/a2a/handle.ts'
export type { CitationReader, CitationReaders } from './protocols/a2a/citations.ts'
export type { A2ARequest, FollowRequest, MessageRequest, SendConfiguration } from './protocols/a2a/request.ts'
export { agentCardSchema } from './protocols/a2a/schemas.ts'
export type { AgentCard, AgentCardSignature, AgentInterface, AgentSkill } from './protocols/a2a/agent-card.ts'
export { messageSchema, partSchema } from './protocols/a2a/schemas.ts'
export type { Message, Part } from './protocols/a2a/messages.ts'
export { artifactSchema, streamResponseSchema, taskSchema } from './protocols/a2a/schemas.ts'
export type {
  Artifact,
  StreamResponse,
  Task,
  TaskArtifactUpdate,
  TaskStatusInfo,
  TaskStatusUpdate,
} from './protocols/a2a/messages.ts'
export type { A2ABindings } from './protocols/a2a/client/json-rpc-transport.ts'
export type { ApiKey, CredentialContext } from './wire/credential.ts'
export type { Fetch } from './wire/fetch-transport.ts'
export type { HeaderSource } from './wire/request-headers.ts'
