export type { AttemptFault, SeenAttempt, FetchHandler } from './testing/faulty-answer.ts'
export { faultyConnection } from './testing/faulty-connection.ts'
export type { Fault, FaultFrame, FaultHook, FaultyConnectionOptions } from './testing/faulty-connection.ts'
export { faultyServer } from './testing/faulty-server.ts'
export type {
  FaultyAgentServerOptions,
  FaultyHandlerServerOptions,
  FaultyServer,
  FaultyServerOptions,
  ServerFault,
} from './testing/faulty-server.ts'
export type { CommandFault, CommandFaults, SeenCommand } from './testing/command-fault.ts'
export type { ConnectionFault } from './testing/connection-fault.ts'
export type { ConversationStoreCase } from './testing/conversation-store-cases.ts'
export { conversationStoreCases } from './testing/conversation-store-cases.ts'
export type { EventLogCase } from './testing/event-log-cases.ts'
export type { EventLogUnderTest } from './testing/event-log-crash-cases.ts'
export { eventLogCases } from './testing/event-log-cases.ts'
export { manualClock, type ManualClock, settle } from './testing/manual-clock.ts'
export { cut, pause, refuse, restart, scriptedAgent, silence, status } from './testing/scripted-agent.ts'
export type {
  Script,
  ScriptedAgent,
  ScriptedAgentOptions,
  ScriptedOutput,
  ScriptMark,
  ScriptStep,
} from './testing/scripted-agent.ts'
