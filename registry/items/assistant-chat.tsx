'use client'

import { CapClient } from 'capstan'
import { Chat, type ChatProps } from 'capstan/components'
import { AgentProvider } from 'capstan/react'

const client = new CapClient({ baseUrl: '/agent' })

/** A whole chat in the look of your shadcn theme. Give it a parent with a height. */
export function AssistantChat(props: ChatProps) {
  return (
    <AgentProvider client={client}>
      <Chat
        title="Assistant"
        placeholder="Ask something"
        suggestions={['What can you do?', 'Show me an example.']}
        {...props}
      />
    </AgentProvider>
  )
}
