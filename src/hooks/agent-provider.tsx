'use client'
import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import type { AgentClient } from '../session/agent-client.ts'
import { createChatRegistry } from '../state/chat-registry.ts'
import { AgentContext } from './agent-context.ts'

export interface AgentProviderProps {
  /** The client every chat below speaks through, unless it brings its own. A new client serves the next run. */
  readonly client: AgentClient
  readonly children?: ReactNode
}

/** Gives the components below an agent to talk to. Components that show the same conversation share one chat and one line. */
export function AgentProvider({ client, children }: AgentProviderProps): ReactNode {
  const [registry] = useState(createChatRegistry)
  const value = useMemo(() => ({ client, registry }), [client, registry])
  return <AgentContext.Provider value={value}>{children}</AgentContext.Provider>
}
