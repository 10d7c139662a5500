'use client'

import { useState } from 'react'
import { CapClient } from 'capstan'
import { Chat, ThreadList } from 'capstan/components'
import { AgentProvider, useThreads } from 'capstan/react'
import { createThreadStore } from 'capstan/storage'

const client = new CapClient({ baseUrl: '/agent' })
/** Keeps conversations in the browser, over reloads and tabs. With several users, pass `user` as well. */
const store = createThreadStore({ name: 'assistant' })

/** A list of conversations, and next to it the one that is open. Give it a parent with a height. */
export function AssistantThreads() {
  const [current, setCurrent] = useState<string>(() => client.environment.uuid())
  return (
    <AgentProvider client={client} store={store}>
      <div className="grid h-full grid-cols-[16rem_1fr]">
        <aside className="overflow-y-auto border-r">
          <Threads current={current} onOpen={setCurrent} />
        </aside>
        <main className="min-w-0">
          <Chat key={current} conversationId={current} title="Assistant" />
        </main>
      </div>
    </AgentProvider>
  )
}

interface ThreadsProps {
  readonly current: string
  readonly onOpen: (conversationId: string) => void
}

function Threads({ current, onOpen }: ThreadsProps) {
  return (
    <ThreadList
      {...useThreads()}
      current={current}
      onSelect={onOpen}
      onCreate={() => onOpen(client.environment.uuid())}
    />
  )
}
