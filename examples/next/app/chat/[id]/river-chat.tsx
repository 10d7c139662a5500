'use client'
import type { Message } from 'capstan'
import { CapClient } from 'capstan/cap'
import { Chat } from 'capstan/components'
import { AgentProvider, useCapChat } from 'capstan/react'

const client = new CapClient({ baseUrl: '/api/agent' })
const SUGGESTIONS = ['Why do rivers meander?', 'Where does a flood go?', 'Why do rivers run on in a dry summer?']

export function RiverChat({ id, history }: { id: string; history: readonly Message[] }) {
  return (
    <AgentProvider client={client}>
      <Conversation id={id} history={history} />
    </AgentProvider>
  )
}

function Conversation({ id, history }: { id: string; history: readonly Message[] }) {
  const { chat } = useCapChat({ conversationId: id, initialMessages: history })
  return <Chat chat={chat} emptyTitle="What would you like to know about rivers?" suggestions={SUGGESTIONS} placeholder="Ask about rivers" />
}
