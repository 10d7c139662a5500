import type { MessagePart } from 'capstan'
import { CapClient } from 'capstan'
import { Chat } from 'capstan/components'
import { AgentProvider, useCapChat } from 'capstan/react'
import type { ReactNode } from 'react'
import { createElement } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'

declare global {
  interface Window {
    /** What React could not hydrate. */
    recovered: string[]
    /** Shows an older answer with parts. */
    addParts: () => void
  }
}

const PARTS: readonly MessagePart[] = [
  { type: 'text', id: 'text', text: 'See the gauge [1].' },
  { type: 'data', id: 'data', data: { flow: 3 }, viewHint: 'KEY_VALUE' },
  {
    type: 'citations',
    id: 'citations',
    citations: [{ sourceId: '1', uri: 'https://a.example/rivers', title: 'On rivers' }],
  },
]

const answer = (id: string, parts: readonly MessagePart[]) =>
  ({ id, role: 'assistant', parts, status: 'complete', createdAt: 0 }) as const

function Page({ parts }: { readonly parts: readonly MessagePart[] }): ReactNode {
  const { chat } = useCapChat({
    conversationId: '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90',
    initialMessages: [answer('newest', parts)],
  })
  if (typeof window !== 'undefined') window.addParts = () => chat.prepend([answer('older', PARTS)])
  return createElement(Chat, { chat })
}

/** A page with an answer that has parts, or text alone. */
export function createPage(withParts: boolean): ReactNode {
  const client = new CapClient({ baseUrl: 'https://agent.example' })
  return createElement(AgentProvider, { client }, createElement(Page, { parts: withParts ? PARTS : PARTS.slice(0, 1) }))
}

const root = typeof document === 'undefined' ? null : document.getElementById('root')
if (root?.firstChild) {
  window.recovered = []
  hydrateRoot(root, createPage(true), { onRecoverableError: (error) => window.recovered.push(String(error)) })
} else if (root) createRoot(root).render(createPage(false))
