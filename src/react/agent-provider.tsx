'use client'

import { type ReactNode, useMemo, useState, createContext } from 'react'
import type { AgentClient } from '../session/agent-client.ts'
import { createChatRegistry, type ChatRegistry } from '../state/chat.ts'
import type { ChatMaker } from '../state/chat-options.ts'
import { useSteadyOption } from './use-steady-option.ts'

export interface AgentProviderProps {
  /** The client of every chat below that has no client of its own. A new client serves the next run. */
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

/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

/** Where every copy of the package on the page finds the contexts of the others. */
const CONTEXTS = Symbol.for('capstan.agent-contexts')

interface WithContexts {
  [CONTEXTS]?: Set<unknown>
}

/** Development only: remembers that a provider is in use, so that a hook of another copy of the package can say why it finds none. */
function noteProvider(): void {
  try {
    if (process.env.NODE_ENV === 'development') ((globalThis as WithContexts)[CONTEXTS] ??= new Set()).add(AgentContext)
  } catch {
    // A page without a bundler: nothing says that it is in development.
  }
}

/**
 * Why a hook has no client.
 * @param hook its name, or "the hook"
 */
export function missingClient(hook: string): Error {
  try {
    if (process.env.NODE_ENV === 'development') {
      const contexts = (globalThis as WithContexts)[CONTEXTS] ?? []
      if ([...contexts].some((context) => context !== AgentContext)) return new Error(TWO_COPIES)
    }
  } catch {
    // A page without a bundler: nothing says that it is in development.
  }
  return new Error(
    `There is no client. Wrap the app in <AgentProvider client={client}>, or pass \`client\` to ${hook}.`,
  )
}

const TWO_COPIES =
  'There is no client, although an <AgentProvider> is on this page: it belongs to another copy of capstan, and React contexts are not shared between copies. Find the copies with "npm ls capstan", keep one version, and let the bundler resolve it once (Vite: resolve.dedupe; webpack: resolve.alias).'

interface AgentContextValue {
  readonly client: AgentClient
  readonly registry: ChatRegistry
  readonly store?: ChatMaker | undefined
}

/** What {@link AgentProvider} gives to everything below it. */
export const AgentContext = createContext<AgentContextValue | null>(null)
