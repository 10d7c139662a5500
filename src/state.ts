'use client'
export {
  useAgentState,
  type AgentState,
  type AgentStateOptions,
  type StateResult,
  type AgentStateStatus,
} from './react/use-agent-state.ts'
export type { StateEdit } from './seam/state-edit.ts'
export type { StandardResult, StandardSchema } from './base/standard-schema.ts'
