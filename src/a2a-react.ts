'use client'

export type { AgentCardSnapshot } from './hooks/a2a/agent-card-cache.ts'
export { useA2AChat } from './hooks/a2a/use-a2a-chat.ts'
export type { A2AChat, A2AChatOptions } from './hooks/a2a/use-a2a-chat.ts'
export { useA2ATask } from './hooks/a2a/use-a2a-task.ts'
export type { A2ATask, A2ATaskOptions } from './hooks/a2a/use-a2a-task.ts'
export { useAgentCard } from './hooks/a2a/use-agent-card.ts'
export type { AgentCardOptions, AgentCardResult } from './hooks/a2a/use-agent-card.ts'
