export type { AttemptFault, SeenAttempt, FetchHandler } from './testing/faulty-answer.ts'
export {
  faultyConnection,
  type Fault,
  type FaultFrame,
  type FaultHook,
  type FaultyConnectionOptions,
} from './testing/faulty-connection.ts'
export {
  faultyServer,
  type FaultyAgentServerOptions,
  type FaultyHandlerServerOptions,
  type FaultyServer,
  type FaultyServerOptions,
  type ServerFault,
} from './testing/faulty-server.ts'
export type { CommandFault, CommandFaults, SeenCommand } from './testing/command-fault.ts'
export type { ConnectionFault } from './testing/connection-fault.ts'
export { conversationStoreCases, type ConversationStoreCase } from './testing/conversation-store-cases.ts'
export { eventLogCases, type EventLogCase } from './testing/event-log-cases.ts'
export type { EventLogUnderTest } from './testing/event-log-crash-cases.ts'
export { manualClock, settle, type ManualClock } from './testing/manual-clock.ts'
export {
  cut,
  pause,
  refuse,
  restart,
  scriptedAgent,
  silence,
  status,
  type Script,
  type ScriptedAgent,
  type ScriptedAgentOptions,
  type ScriptedOutput,
  type ScriptMark,
  type ScriptStep,
} from './testing/scripted-agent.ts'
