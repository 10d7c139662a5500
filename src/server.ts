export type { Agent, AgentAnswer, AgentEnding, AgentRun, RememberedAnswer } from './server/run/agent.ts'
export type { AgentRunState } from './server/run/agent-run-state.ts'
export { chatMessages, type ModelFilePart, type ModelMessage } from './server/conversation/chat-messages.ts'
export type { FileContent, FileReference, ResolveFile } from './server/conversation/model-file.ts'
export type { ChatMessagesOptions, ChatRun } from './server/conversation/model-turns.ts'
export type { ConversationMessage } from './server/conversation/conversation-message.ts'
export type {
  ConversationAnswer,
  ConversationEntry,
  ConversationKey,
  ConversationPart,
  ConversationStore,
  ConversationTurn,
  ModelRecord,
} from './server/conversation/conversation-store.ts'
export {
  memoryConversationStore,
  type MemoryConversationStoreOptions,
} from './server/conversation/memory-conversation-store.ts'
export {
  CONVERSATION_TABLES,
  sqlConversationStore,
  type SqlConversationStoreOptions,
  type SqlQuery,
  type SqlRow,
} from './server/conversation/sql-conversation-store.ts'
export type { InboxMessage, RunInbox } from './server/run/run-inbox.ts'
export type {
  AnyAsk,
  AnyResult,
  ApprovalAsk,
  ApprovalResult,
  Ask,
  AskOptions,
  AskSubject,
  ChoiceAsk,
  ChoiceResult,
  FormAsk,
  FormResult,
  NoAnswer,
  SignInAsk,
  SignInResult,
  Validate,
} from './server/run/ask.ts'
export type { StandardResult, StandardSchema } from './base/standard-schema.ts'
export type { FieldError, JsonSchema, PromptAnswer, PromptEnd, PromptOption } from './seam/prompt.ts'
export { createAgentHandler, type AgentHandler, type AgentHandlerOptions } from './server/handler/agent-handler.ts'
export { createAgentProxy, type AgentProxy, type AgentProxyOptions } from './server/proxy/agent-proxy.ts'
export {
  close,
  event,
  fatal,
  onStream,
  transient,
  warning,
  type AgentOutput,
  type PresentationData,
  type StreamErrorBody,
} from './server/run/agent-output.ts'
export type { CorsOptions } from './server/http/cors.ts'
export type {
  Adopted,
  Begun,
  Commanded,
  EventLog,
  Found,
  LogEntry,
  LogReader,
  LogSlice,
  LogWriter,
} from './server/event-log/event-log.ts'
export type { CommandHandler, RunCommand, RunEndReason, RunReply } from './server/event-log/run-command.ts'
export type { HealthOptions } from './server/handler/health.ts'
export { memoryEventLog, type MemoryEventLogOptions } from './server/event-log/memory-event-log.ts'
export type { NodeRequest, NodeResponse } from './server/node/node-http.ts'
export { toNodeListener, type NodeListener, type NodeListenerOptions } from './server/node/node-listener.ts'
export {
  toNodeUpgradeListener,
  type AcceptedWebSocket,
  type NodeSocket,
  type NodeUpgradeListener,
  type NodeUpgradeListenerOptions,
  type WebSocketAcceptor,
} from './server/node/node-upgrade-listener.ts'
export type { WebSocketLike } from './wire/web-socket-transport.ts'
export type { ProxyCaller, ProxyHeaders } from './server/proxy/upstream-connection.ts'
export { encodeSseComment, encodeSseFrame, type OutgoingFrame } from './wire/sse-encoder.ts'
