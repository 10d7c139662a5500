'use client'

import { CapClient } from 'capstan'
import { Chat } from 'capstan/components'
import { AgentProvider } from 'capstan/react'
import { chatSettings } from './chat-settings'

const client = new CapClient({ baseUrl: '/agent' })

export function ChatPage() {
  return (
    <AgentProvider client={client}>
      <Chat {...chatSettings} />
    </AgentProvider>
  )
}
