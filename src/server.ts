export type { Agent, AgentAnswer, AgentEnding, AgentRun, RememberedAnswer } from './server/run/agent.ts'
export type { AgentRunState } from './server/run/agent-run-state.ts'
export type { ModelFilePart, ModelMessage } from './server/conversation/chat-messages.ts'
export type { FileContent, FileReference, ResolveFile } from './server/conversation/model-file.ts'
export type { ChatMessagesOptions, ChatRun } from './server/conversation/model-turns.ts'
export { chatMessages } from './server/conversation/chat-messages.ts'
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
export type { MemoryConversationStoreOptions } from './server/conversation/memory-conversation-store.ts'
export { memoryConversationStore } from './server/conversation/memory-conversation-store.ts'
export type { SqlConversationStoreOptions, SqlQuery, SqlRow } from './server/conversation/sql-conversation-store.ts'
export { CONVERSATION_TABLES, sqlConversationStore } from './server/conversation/sql-conversation-store.ts'
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
export type { AgentHandler, AgentHandlerOptions } from './server/handler/agent-handler.ts'
export { createAgentHandler } from './server/handler/agent-handler.ts'
export type { AgentProxy, AgentProxyOptions } from './server/proxy/agent-proxy.ts'
export { createAgentProxy } from './server/proxy/agent-proxy.ts'
export type { AgentOutput, PresentationData, StreamErrorBody } from './server/run/agent-output.ts'
export { close, event, fatal, onStream, transient, warning } from './server/run/agent-output.ts'
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
export type { MemoryEventLogOptions } from './server/event-log/memory-event-log.ts'
export { memoryEventLog } from './server/event-log/memory-event-log.ts'
export type { NodeRequest, NodeResponse } from './server/node/node-http.ts'
export type { NodeListener, NodeListenerOptions } from './server/node/node-listener.ts'
export { toNodeListener } from './server/node/node-listener.ts'
export type {
  AcceptedWebSocket,
  NodeSocket,
  NodeUpgradeListener,
  NodeUpgradeListenerOptions,
  WebSocketAcceptor,
} from './server/node/node-upgrade-listener.ts'
export { toNodeUpgradeListener } from './server/node/node-upgrade-listener.ts'
export type { WebSocketLike } from './wire/web-socket-transport.ts'
export type { ProxyCaller, ProxyHeaders } from './server/proxy/upstream-connection.ts'
export type { OutgoingFrame } from './wire/sse-encoder.ts'
export { encodeSseComment, encodeSseFrame } from './wire/sse-encoder.ts'
