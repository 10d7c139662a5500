'use client'
import { createContext } from 'react'
import type { AgentClient } from '../session/agent-client.ts'
import type { ChatRegistry } from '../state/chat-registry.ts'

export interface AgentContextValue {
  readonly client: AgentClient
  readonly registry: ChatRegistry
}

/** What {@link AgentProvider} gives to everything below it. */
export const AgentContext = createContext<AgentContextValue | null>(null)
