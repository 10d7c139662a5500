import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { Chat, MarkdownProvider } from 'capstan/components'
import { markdownEngine } from 'capstan/markdown'
import { AgentProvider, useChatInstance } from 'capstan/react'
import { appearance } from '../appearance/appearance.ts'
import { languages } from '../appearance/languages.ts'
import { useBench } from '../bench.ts'
import { useStore } from '../store.ts'
import { arcpClients } from './arcp-clients.ts'

interface ArcpChatProps {
  readonly tool: 'plan' | 'write'
  readonly title: string
  readonly suggestion: string
}

/** Tools whose conversation this page has shown: the next one is a new one. */
const shown = new Set<string>()

/** A chat with a tool. After a reload, and in another tab, it is the same conversation. */
export function ArcpChat({ tool, title, suggestion }: ArcpChatProps): ReactNode {
  const bench = useBench()
  const { chats, store } = arcpClients(bench.environment)
  const { conversationId: fresh } = useStore(bench.talk)
  const key = `capstan-playground-arcp-${tool}`
  const [conversationId] = useState(() => (shown.has(tool) ? fresh : (localStorage.getItem(key) ?? fresh)))
  useEffect(() => {
    shown.add(tool)
    localStorage.setItem(key, conversationId)
  }, [key, tool, conversationId])
  return (
    <AgentProvider key={tool} client={chats[tool]} store={store}>
      <Conversation id={conversationId} title={title} suggestion={suggestion} />
    </AgentProvider>
  )
}

interface ConversationProps extends Omit<ArcpChatProps, 'tool'> {
  readonly id: string
}

function Conversation({ id, title, suggestion }: ConversationProps): ReactNode {
  const chat = useChatInstance({ conversationId: id })
  const { words } = languages[useStore(appearance).language]
  return (
    <MarkdownProvider engine={useStore(useBench().settings).markdown ? markdownEngine : 'off'}>
      <Chat chat={chat} title={title} strings={words} hideHint emptyTitle="Begin a job" suggestions={[suggestion]} />
    </MarkdownProvider>
  )
}
