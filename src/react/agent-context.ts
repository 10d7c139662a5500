'use client'
import { createContext } from 'react'
import type { AgentClient } from '../session/agent-client.ts'
import type { ChatMaker } from '../state/chat-options.ts'
import type { ChatRegistry } from '../state/chat-registry.ts'

export interface AgentContextValue {
  readonly client: AgentClient
  readonly registry: ChatRegistry
  readonly store?: ChatMaker | undefined
}

/** What {@link AgentProvider} gives to everything below it. */
export const AgentContext = createContext<AgentContextValue | null>(null)
