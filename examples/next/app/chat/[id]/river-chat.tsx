'use client'
import type { ChatMessage } from 'capstan'
import { CapClient } from 'capstan'
import { Chat } from 'capstan/components'
import { AgentProvider, useCapChat } from 'capstan/react'
import { createThreadStore } from 'capstan/storage'

const client = new CapClient({ baseUrl: '/api/agent' })
/** Keeps what is said beyond the page, so that a reload in the middle of an answer continues with it, and tabs show the same. */
const store = createThreadStore({ name: 'river-desk' })
const suggestions = ['Why do rivers meander?', 'Where does a flood go?', 'Tell me when the river rises']

export function RiverChat({ id, history }: { id: string; history: readonly ChatMessage[] }) {
  return (
    <AgentProvider client={client} store={store}>
      <Conversation id={id} history={history} />
    </AgentProvider>
  )
}

function Conversation({ id, history }: { id: string; history: readonly ChatMessage[] }) {
  const { chat } = useCapChat({ conversationId: id, initialMessages: history })
  return <Chat chat={chat} suggestions={suggestions} emptyTitle="What would you like to know about rivers?" />
}
