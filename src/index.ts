export {
  AgentError,
  isAgentError,
  type AgentErrorInit,
  type ErrorCode,
  type ErrorKind,
  type ErrorSeverity,
} from './base/agent-error.ts'
export { backoff, type RetryPolicy } from './base/backoff.ts'
export type { Clock } from './base/ports/clock.ts'
export type { Environment } from './base/ports/environment.ts'
export type { Frames } from './base/ports/environment.ts'
export type { Online } from './base/ports/environment.ts'
export type {
  AgentEvent,
  AgentPart,
  Citation,
  Diagnostic,
  MediaItem,
  ProgressStatus,
  RunOutcome,
  SnapshotPart,
  TaskStatus,
  ToolCallStatus,
  ViewHint,
} from './seam/agent-event.ts'
export type { Command, CommandResult } from './seam/command.ts'
export type {
  FieldError,
  JsonSchema,
  Prompt,
  PromptAnswer,
  PromptEnd,
  PromptKind,
  PromptOption,
  PromptState,
  PromptSubject,
} from './seam/prompt.ts'
export type { Usage } from './seam/usage.ts'
export type { Lease, LeaseChange } from './seam/lease.ts'
export type { AgentProtocol, Batch, Cursor, Delivery, Opening } from './seam/protocol.ts'
export type { StateEdit } from './seam/state-edit.ts'
export type { Attachment, ChatInput, HistoryMessage, Lineage, PromptReply } from './seam/chat-input.ts'
export type { AgentClient, Session, SessionOptions, StopResult } from './session/agent-client.ts'
export type { AnswerLimits } from './session/answer-limits.ts'
export type { Connection, Ending, Phase } from './session/connection.ts'
export { createSession } from './session/session.ts'
export type { ResumePoint } from './session/resume-point.ts'
export type { SessionObservation, SessionObserver } from './session/agent-client.ts'
export type { SessionEvent } from './session/stream-ledger.ts'
export { createChat, type ChatInstance } from './state/chat.ts'
export type { CapturableChat, ChatCallbacks, ChatMaker, ChatOptions, RunEnd } from './state/chat-options.ts'
export type { ChatState, RunState } from './state/chat-snapshot.ts'
export type { ChatActions, SendOptions } from './state/chat-options.ts'
export type { ChatSnapshot, ChatStatus } from './state/chat-snapshot.ts'
export {
  textOf,
  type ChatMessage,
  type GapPart,
  type MessagePart,
  type MessageStatus,
  type OutgoingMessage,
  type QueuedMessage,
  type TextPart,
  type WarningPart,
} from './state/message.ts'
export type { AnswerResult, LeaseResult } from './state/chat-options.ts'
export type { SendResult } from './state/chat-options.ts'
export type {
  BodyAnswer,
  EventsAnswer,
  SseFrame,
  Transport,
  TransportAnswer,
  TransportRequest,
} from './wire/transport.ts'
export { AssistStream } from './protocols/cap/client/assist-stream.ts'
export { CapClient, type CapClientOptions } from './protocols/cap/client/cap-client.ts'
export type { CapContext, CapContextSource } from './protocols/cap/client/cap-request.ts'
export { ChatStream } from './protocols/cap/client/chat-stream.ts'
export type { RetryNotice, RunLog } from './session/iterate-run.ts'
export type { AnyServiceRequest, IdentityServiceRequest, QueryServiceRequest } from './protocols/cap/any-request.ts'
export type { ApiKey, CredentialContext } from './wire/credential.ts'
export type { HeaderSource } from './wire/credential.ts'
export { CapConnectionError, CapError, CapProtocolError, CapRuntimeError } from './protocols/cap/errors.ts'
export { capProtocol, type CapMode, type CapProtocolOptions } from './protocols/cap/adapter.ts'
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
export { fetchTransport, type Fetch, type FetchTransportOptions } from './wire/fetch-transport.ts'
export { webSocket, type WebSocketOptions } from './wire/frame-requests.ts'
export type { WebSocketLike } from './wire/web-socket-transport.ts'
export type { WebSocketConstructor } from './wire/web-socket-transport.ts'
export { createDebugLog, type DebugLogOptions } from './session/debug-log.ts'
export type { JsonObject } from './base/json-object.ts'
