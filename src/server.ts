export type { Agent, AgentRun } from './server/run/agent.ts'
export type { ModelMessage } from './server/conversation/chat-messages.ts'
export type { ResolveFile } from './server/conversation/model-turns.ts'
export { chatMessages } from './server/conversation/chat-messages.ts'
export type {
  ConversationMessage,
  ConversationAnswer,
  ConversationEntry,
  ConversationKey,
  ConversationStore,
  ConversationTurn,
} from './server/conversation/conversation-store.ts'
export { memoryConversationStore } from './server/conversation/memory-conversation-store.ts'
export type { SqlQuery, SqlRow } from './server/conversation/sql-conversation-store.ts'
export { CONVERSATION_TABLES, sqlConversationStore } from './server/conversation/sql-conversation-store.ts'
export type {
  AnyAsk,
  AnyResult,
  ApprovalAsk,
  ApprovalResult,
  ChoiceResult,
  FormResult,
  SignInResult,
} from './server/run/ask.ts'
export type { FieldError, JsonSchema, PromptAnswer } from './seam/prompt.ts'
export type { AgentHandler, AgentHandlerOptions } from './server/handler/agent-handler.ts'
export { createAgentHandler } from './server/handler/agent-handler.ts'
export type { AgentProxy, AgentProxyOptions } from './server/proxy/agent-proxy.ts'
export { createAgentProxy } from './server/proxy/agent-proxy.ts'
export type { AgentOutput, CloseOutput, ErrorOutput, EventOutput, PresentationData } from './server/run/agent-output.ts'
export { close, event, fatal, onStream, transient, warning } from './server/run/agent-output.ts'
export type {
  Adopted,
  Begun,
  EventLog,
  Found,
  LogEntry,
  LogReader,
  LogSlice,
  LogWriter,
  RunCommand,
  RunReply,
} from './server/event-log/event-log.ts'
export { memoryEventLog } from './server/event-log/memory-event-log.ts'
export type { NodeListener } from './server/platforms/node-listener.ts'
export { toNodeListener } from './server/platforms/node-listener.ts'
export type { NodeUpgradeListener } from './server/platforms/node-upgrade-listener.ts'
export { toNodeUpgradeListener } from './server/platforms/node-upgrade-listener.ts'
