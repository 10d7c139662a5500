'use client'

import { CapClient } from 'capstan'
import { Chat, ChatBanner, ChatDock, ChatHeader, Composer, MessageList, PromptDock } from 'capstan/components'
import { AgentProvider } from 'capstan/react'

const client = new CapClient({ baseUrl: '/agent' })

/** A chat with its parts in an order of your own: what the agent asks is beside the transcript. Give it a parent with a height. */
export function AssistantPrompts() {
  return (
    <AgentProvider client={client}>
      <div className="h-full">
        <Chat>
          <ChatHeader title="Assistant" />
          <div className="grid min-h-0 flex-1 md:grid-cols-[1fr_22rem]">
            <MessageList />
            <aside className="overflow-y-auto border-l p-4">
              <h2 className="pb-2 text-sm font-medium">Waiting for you</h2>
              <PromptDock />
            </aside>
          </div>
          <ChatDock>
            <ChatBanner />
            <Composer placeholder="Ask something" />
          </ChatDock>
        </Chat>
      </div>
    </AgentProvider>
  )
}
