'use client'

export type { AgentCardSnapshot } from './protocols/a2a/hooks/agent-card-cache.ts'
export { useA2AChat } from './protocols/a2a/hooks/use-a2a-chat.ts'
export type { A2AChat, A2AChatOptions } from './protocols/a2a/hooks/use-a2a-chat.ts'
export { useA2ATask } from './protocols/a2a/hooks/use-a2a-task.ts'
export type { A2ATask, A2ATaskOptions } from './protocols/a2a/hooks/use-a2a-task.ts'
export { useAgentCard } from './protocols/a2a/hooks/use-agent-card.ts'
export type { AgentCardOptions, AgentCardResult } from './protocols/a2a/hooks/use-agent-card.ts'
