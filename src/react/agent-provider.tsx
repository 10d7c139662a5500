'use client'
import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import type { AgentClient } from '../session/agent-client.ts'
import { createChatRegistry } from '../state/chat-registry.ts'
import type { ChatMaker } from '../state/chat-options.ts'
import { AgentContext } from './agent-context.ts'
import { noteProvider } from './missing-client.ts'
import { useSteadyOption } from './use-steady-option.ts'

export interface AgentProviderProps {
  /** The client every chat below speaks through, unless it brings its own. A new client serves the next run. */
  readonly client: AgentClient
  /**
   * Keeps every conversation below beyond the page, such as a store of `capstan/storage`. Give it a `key` that changes
   * with the user. Absent: conversations end with the page.
   */
  readonly store?: ChatMaker | undefined
  /** The components that talk to the agent. Absent: nothing. */
  readonly children?: ReactNode
}

/**
 * Renders its children, and gives them an agent to talk to. Components that show the same conversation share one chat
 * and one connection.
 *
 * @example
 * ```tsx
 * import { CapClient } from 'capstan'
 * import { Chat } from 'capstan/components'
 * import { AgentProvider } from 'capstan/react'
 *
 * const client = new CapClient({ baseUrl: 'https://agent.example' })
 * export const App = () => (
 *   <AgentProvider client={client}>
 *     <Chat />
 *   </AgentProvider>
 * )
 * ```
 */
export function AgentProvider({ client, store, children }: AgentProviderProps): ReactNode {
  const [registry] = useState(createChatRegistry)
  noteProvider()
  useSteadyOption('client', client)
  useSteadyOption('store', store)
  const value = useMemo(() => ({ client, registry, store }), [client, registry, store])
  return <AgentContext.Provider value={value}>{children}</AgentContext.Provider>
}
