import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { Chat } from '../../src/components/chat.tsx'
import { HealthBadge } from '../../src/components/health-badge.tsx'
import { Markdown } from '../../src/markdown/view/markdown.tsx'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import { useCapAssist } from '../../src/protocols/cap/hooks/use-cap-assist.ts'
import { useCapChat } from '../../src/protocols/cap/hooks/use-cap-chat.ts'
import { useCapHealth } from '../../src/query/hooks.ts'
import type { MessagePart } from '../../src/state/turn.ts'
import { answer, errorOf, said, text } from '../components/fake-chat.ts'

const CONVERSATION = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'

const PARTS: readonly MessagePart[] = [
  { type: 'thought', id: 'thought', text: 'Bends, then banks.' },
  { type: 'progress', id: 'progress', label: 'Reading the gauge', status: 'complete', fraction: 1 },
  text('Rivers **bend** [1].\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'),
  {
    type: 'citations',
    id: 'citations',
    citations: [{ sourceId: '1', uri: 'https://a.example/rivers', title: 'Rivers', snippet: 'They bend.' }],
  },
  {
    type: 'media',
    id: 'media',
    items: [{ url: 'https://a.example/river.png', mimeType: 'image/png', alt: 'A river' }],
  },
  { type: 'data', id: 'data', data: { flow: 3 }, viewHint: 'KEY_VALUE' },
  { type: 'artifact', id: 'artifact', artifactId: 'map', url: 'https://a.example/map', mimeType: 'image/png' },
  { type: 'notice', id: 'notice', message: 'One gauge is closed.' },
  { type: 'tool-call', id: 'tool', name: 'gauge', status: 'complete' },
  { type: 'gap', id: 'gap', after: 3, before: 5 },
  { type: 'unknown', id: 'unknown', name: 'FUTURE', raw: { a: 1 } },
]

const HISTORY = [
  said('u-1', 'Why do rivers bend?'),
  answer('a-1', PARTS),
  said('u-2', 'And lakes?'),
  answer('a-2', [text('Lakes')], { status: 'failed', error: errorOf({ code: 'rate_limited' }) }),
]

function Page(): ReactNode {
  const { chat } = useCapChat({ conversationId: CONVERSATION, initialMessages: HISTORY })
  const { status } = useCapAssist()
  const health = useCapHealth({ enabled: false })
  return (
    <main>
      <HealthBadge status={health.status} />
      <p>{status}</p>
      <Markdown text={'# Rivers\n\n- bend\n\n| a |\n|---|\n| 1 |'} />
      <Chat chat={chat} title="Rivers" />
    </main>
  )
}

/** A page with every component, as an app has it. A new one on each call, as on another machine. */
export function createPage(): ReactNode {
  const client = new CapClient({
    baseUrl: 'https://agent.example',
    fetch: () => Promise.reject(new Error('Nobody asks here.')),
  })
  return (
    <QueryClientProvider client={new QueryClient()}>
      <AgentProvider client={client}>
        <Page />
      </AgentProvider>
    </QueryClientProvider>
  )
}
