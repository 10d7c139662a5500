// A chat as apps show it, and the longest time in which its page could do nothing else.
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { Chat } from '../../src/components/chat.tsx'
import { MarkdownProvider } from '../../src/components/markdown-block/markdown-block.tsx'
import { markdownEngine } from '../../src/components/markdown-block/rich-text-engine.tsx'
import { createChat } from '../../src/state/chat.ts'

const tasks = []
new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
  type: 'longtask',
  buffered: true,
})

const settled = () =>
  new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), 300))

globalThis.begin = async ({ messages = 0, markdown = true }) => {
  const client = new CapClient({
    baseUrl: '/cap',
    maxRetries: 0,
    limits: { streams: Infinity, parts: Infinity, warnings: Infinity, bytes: Infinity },
  })
  const initialMessages = Array.from({ length: messages }, (_, at) => ({
    id: `m${at}`,
    role: at % 2 === 0 ? 'user' : 'assistant',
    status: at % 2 === 0 ? 'sent' : 'complete',
    parts: [{ type: 'text', id: 'text-1', text: `message ${at}` }],
  }))
  const chat = createChat({
    client: () => client,
    conversationId: '0f8f3c52-6d6f-4f9a-8a35-2f5f6f0f4f10',
    initialMessages,
  })
  globalThis.chat = chat
  createRoot(document.querySelector('main')).render(
    createElement(MarkdownProvider, { engine: markdown ? markdownEngine : 'off' }, createElement(Chat, { chat })),
  )
  await settled()
}

/** Asks and waits for the end: the longest task in milliseconds (0: none took 50), and what is there in the end. */
globalThis.ask = async (question) => {
  await settled()
  tasks.length = 0
  await globalThis.chat.sendMessage(question)
  await settled()
  const { messages } = globalThis.chat.getSnapshot()
  const parts = messages.reduce((sum, message) => sum + message.parts.length, 0)
  return {
    longest: Math.round(Math.max(0, ...tasks)),
    messages: messages.length,
    parts,
    elements: document.querySelectorAll('main *').length,
    status: messages.at(-1).status,
  }
}
