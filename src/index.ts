export { AgentError, isAgentError, type ErrorCode } from './base/agent-error.ts'
export { backoff, type RetryPolicy } from './base/backoff.ts'
export type { JsonObject } from './base/json-object.ts'
export type { Clock } from './base/ports/clock.ts'
export type { Environment, Frames, Online } from './base/ports/environment.ts'
export type { AgentEvent, AgentPart, Citation, MediaItem, RunOutcome } from './seam/agent-event.ts'
export type { Command } from './seam/command.ts'
export type { FieldError, JsonSchema, Prompt, PromptAnswer, PromptOption } from './seam/prompt.ts'
export type { Usage } from './seam/usage.ts'
export type { Lease } from './seam/lease.ts'
export type { AgentProtocol, Batch, Cursor, Delivery, Opening } from './seam/protocol.ts'
export type { StateEdit } from './seam/state-edit.ts'
export type { Attachment, HistoryMessage } from './seam/chat-input.ts'
export type { AgentClient, Session, StopResult, SessionObservation, SessionObserver } from './session/agent-client.ts'
export type { Connection, Phase } from './session/connection.ts'
export { createSession } from './session/session.ts'
export { createChat, type ChatInstance } from './state/chat.ts'
export type { ChatMaker, ChatOptions, AnswerResult, LeaseResult, SendResult } from './state/chat-options.ts'
export type { ChatSnapshot, ChatStatus } from './state/chat-snapshot.ts'
export {
  textOf,
  type ChatMessage,
  type MessagePart,
  type MessageStatus,
  type OutgoingMessage,
  type QueuedMessage,
  type TextPart,
} from './state/turn.ts'
export type { SseFrame, Transport, TransportAnswer, TransportRequest } from './wire/transport.ts'
export { AssistStream, CapClient, type CapClientOptions, ChatStream } from './protocols/cap/client/cap-client.ts'
export type { CapContext } from './protocols/cap/client/cap-request.ts'
export { CapConnectionError, CapError, CapProtocolError, CapRuntimeError } from './protocols/cap/errors.ts'
export { capProtocol } from './protocols/cap/adapter.ts'
export type { PresentationEvent } from './protocols/cap/presentation/presentation-event.ts'
export { readPacket } from './protocols/cap/read/rare-packet.ts'
export type { ServiceRequest, ServiceRequestInput } from './protocols/cap/schema/request.ts'
export type { ServiceResponse } from './protocols/cap/schema/response.ts'
export type { CapPacket } from './protocols/cap/read/usual-packet.ts'
export { fetchTransport, type Fetch } from './wire/fetch-transport.ts'
export { webSocket } from './wire/frame-requests.ts'
export { createDebugLog } from './session/debug-log.ts'
export type { CapturableChat } from './state/chat-options.ts'
