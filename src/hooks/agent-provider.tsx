'use client'
import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import type { AgentClient } from '../session/agent-client.ts'
import { createChatRegistry } from '../state/chat-registry.ts'
import type { ChatMaker } from '../state/chat-options.ts'
import { AgentContext } from './agent-context.ts'

export interface AgentProviderProps {
  /** The client every chat below speaks through, unless it brings its own. A new client serves the next run. */
  readonly client: AgentClient
  /** Keeps every conversation below beyond the page, such as a store of `capstan/storage`. Give it a `key` that changes with the user. */
  readonly store?: ChatMaker | undefined
  readonly children?: ReactNode
}

/** Gives the components below an agent to talk to. Components that show the same conversation share one chat and one line. */
export function AgentProvider({ client, store, children }: AgentProviderProps): ReactNode {
  const [registry] = useState(createChatRegistry)
  const value = useMemo(() => ({ client, registry, store }), [client, registry, store])
  return <AgentContext.Provider value={value}>{children}</AgentContext.Provider>
}
