// Long lists as an app shows them, and the barest React page with as many rows as fit into view.
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { Chat } from '../../src/components/chat.tsx'
import { MarkdownProvider } from '../../src/components/markdown-block/markdown-block.tsx'
import { markdownEngine } from '../../src/components/markdown-block/rich-text-engine.tsx'
import { ThreadList } from '../../src/components/thread-list.tsx'
import { createChat } from '../../src/state/chat.ts'

const WORDS = 'river loop meander oxbow bank sand flood delta silt gravel bend stream'.split(' ')
const ROWS_IN_VIEW = 20

const sentence = (seed, length) =>
  Array.from({ length }, (_, at) => WORDS[(seed * 7 + at * (seed % 5) + at) % WORDS.length]).join(' ')

const threads = (count) =>
  Array.from({ length: count }, (_, index) => ({
    id: `thread-${index}`,
    title: `${sentence(index, 4)} ${index}`,
    updatedAt: Date.UTC(2026, 2, 1) - index * 3_600_000,
  }))

const messages = (count) =>
  Array.from({ length: count }, (_, index) => {
    const isQuestion = index % 2 === 0
    const text = isQuestion
      ? sentence(index, 8)
      : `${sentence(index, 30)}\n\n- **${sentence(index, 3)}**\n- \`${sentence(index, 2)}\`\n\n${sentence(index + 1, 40)}`
    return {
      id: `message-${index}`,
      role: isQuestion ? 'user' : 'assistant',
      status: isQuestion ? 'sent' : 'complete',
      parts: [{ type: 'text', id: `text-${index}`, text }],
    }
  })

const KINDS = {
  bare: () =>
    createElement(
      'ul',
      {},
      threads(ROWS_IN_VIEW).map(({ id, title }) => createElement('li', { key: id }, title)),
    ),
  threads: (count) => createElement(ThreadList, { threads: threads(count), onSelect() {} }),
  messages: (count) =>
    createElement(
      MarkdownProvider,
      { engine: markdownEngine },
      createElement(Chat, {
        chat: createChat({
          client: () => new CapClient({ baseUrl: 'https://agent.test', fetch: () => Promise.reject(new Error()) }),
          conversationId: '0f8f3c52-6d6f-4f9a-8a35-2f5f6f0f4f10',
          initialMessages: messages(count),
        }),
      }),
    ),
}

/** Resolves when what was rendered is on the screen. */
const shown = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

globalThis.show = async ({ kind, count }) => {
  const element = KINDS[kind](count)
  const start = performance.now()
  createRoot(document.querySelector('main')).render(element)
  // Twice: a window mounts its rows once it knows how high they are.
  await shown()
  await shown()
  return { ms: performance.now() - start, nodes: document.querySelectorAll('main *').length }
}

globalThis.search = async (text) => {
  const input = document.querySelector('input[type="search"], input')
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
  const times = []
  for (let end = 1; end <= text.length; end += 1) {
    const start = performance.now()
    set.call(input, text.slice(0, end))
    input.dispatchEvent(new Event('input', { bubbles: true }))
    await shown()
    times.push(performance.now() - start)
  }
  return { ms: Math.max(...times), rows: document.querySelectorAll('main li').length }
}
