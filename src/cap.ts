export { AssistStream } from './protocols/cap/client/assist-stream.ts'
export { CapClient } from './protocols/cap/client/cap-client.ts'
export type { CapClientOptions } from './protocols/cap/client/cap-client.ts'
export type { CapContext, CapContextSource } from './protocols/cap/client/cap-request.ts'
export { ChatStream } from './protocols/cap/client/chat-stream.ts'
export type { RetryNotice, RunLog } from './session/iterate-run.ts'
export type { AnyServiceRequest, IdentityServiceRequest, QueryServiceRequest } from './protocols/cap/any-request.ts'
export type { ApiKey, CredentialContext, HeaderSource } from './wire/credential.ts'
export { CapConnectionError, CapError, CapProtocolError, CapRuntimeError } from './protocols/cap/errors.ts'
export { capProtocol } from './protocols/cap/adapter.ts'
export type { CapMode, CapProtocolOptions } from './protocols/cap/adapter.ts'
export type { CapDialect, OlderServerOptions } from './protocols/cap/older-server.ts'
export type { StreamPacket } from './protocols/cap/schema/packet.ts'
export type { PresentationEvent } from './protocols/cap/presentation/presentation-event.ts'
export { readPacket } from './protocols/cap/read/read-packet.ts'
export type {
  AgentRequest,
  ClientCapabilities,
  ServiceRequest,
  ServiceRequestInput,
  SessionContext,
} from './protocols/cap/schema/request.ts'
export type { HealthCheckResponse, ServiceResponse } from './protocols/cap/schema/response.ts'
export type { StreamError } from './protocols/cap/schema/stream-error.ts'
export type { CapPacket } from './protocols/cap/read/wire-packet.ts'
export { fetchTransport } from './wire/fetch-transport.ts'
export type { Fetch, FetchTransportOptions } from './wire/fetch-transport.ts'
export { webSocket, type WebSocketOptions } from './wire/frame-requests.ts'
export type { WebSocketLike, WebSocketConstructor } from './wire/web-socket-transport.ts'
