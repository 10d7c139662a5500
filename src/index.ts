export { AgentError, isAgentError } from './base/agent-error.ts'
export type { AgentErrorInit, ErrorCode, ErrorKind, ErrorSeverity } from './base/agent-error.ts'
export { backoff } from './base/backoff.ts'
export type { RetryPolicy } from './base/backoff.ts'
export type { Clock } from './base/ports/clock.ts'
export type { Environment, Frames, Online } from './base/ports/environment.ts'
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
export type {
  StopResult,
  AgentClient,
  SessionOptions,
  Session,
  SessionObservation,
  SessionObserver,
} from './session/agent-client.ts'
export type { AnswerLimits } from './session/answer-limits.ts'
export type { Connection, Phase } from './session/connection.ts'
export { createSession } from './session/session.ts'
export type { ResumePoint } from './session/resume-point.ts'
export type { Ending } from './session/connection.ts'
export type { SessionEvent } from './session/stream-ledger.ts'
export { createChat } from './state/chat.ts'
export type {
  CapturableChat,
  ChatCallbacks,
  ChatMaker,
  ChatOptions,
  RunEnd,
  ChatActions,
  SendOptions,
  AnswerResult,
  LeaseResult,
  SendResult,
} from './state/chat-options.ts'
export type { ChatState, RunState, ChatSnapshot, ChatStatus } from './state/chat-snapshot.ts'
export type { ChatInstance } from './state/chat.ts'
export type { OutgoingMessage, QueuedMessage } from './state/message.ts'
export { textOf } from './state/message.ts'
export type { GapPart, ChatMessage, MessagePart, MessageStatus, TextPart, WarningPart } from './state/message.ts'
export type {
  BodyAnswer,
  EventsAnswer,
  SseFrame,
  Transport,
  TransportAnswer,
  TransportRequest,
} from './wire/transport.ts'
export type { JsonObject } from './base/json-object.ts'
