export { createDebugLog, type DebugLogOptions } from './session/debug-log.ts'
export type { SessionObservation, SessionObserver } from './session/agent-client.ts'
