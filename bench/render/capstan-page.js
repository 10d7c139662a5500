// capstan as it ships: a client that reads server-sent events, a chat, `Chat` with its list and markdown.
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { Chat } from '../../src/components/chat.tsx'
import { MarkdownProvider } from '../../src/components/markdown-block/markdown-block.tsx'
import { markdownEngine } from '../../src/components/markdown-block/rich-text-engine.tsx'
import { createChat } from '../../src/state/chat.ts'
import { expose } from './play.js'

const STREAM = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
/** Characters of the answer that is there at the beginning. */
const PIECE = 4000
const encoder = new TextEncoder()
let line
let seq = 0

const agent = async () =>
  new Response(
    new ReadableStream({
      start(controller) {
        line = controller
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  )

function push(token) {
  seq += 1
  line.enqueue(
    encoder.encode(
      `data: ${JSON.stringify({ stream_id: STREAM, seq, op: 'DELTA', t: new Date().toISOString(), p: token })}\n\n`,
    ),
  )
}

async function begin(messages, text, box) {
  const client = new CapClient({ baseUrl: 'https://agent.test', fetch: agent })
  const chat = createChat({
    client: () => client,
    conversationId: '0f8f3c52-6d6f-4f9a-8a35-2f5f6f0f4f10',
    initialMessages: messages.map(({ id, role, text }) => ({
      id,
      role,
      status: role === 'user' ? 'sent' : 'complete',
      parts: [{ type: 'text', id: `${id}-text`, text }],
    })),
  })
  createRoot(box).render(
    createElement(
      MarkdownProvider,
      { engine: markdownEngine },
      createElement(Chat, { chat, listProps: { anchor: 'end' } }),
    ),
  )
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  void chat.sendMessage('Tell me everything')
  while (line === undefined) await new Promise((resolve) => setTimeout(resolve, 4))
  // As it would have come: in pieces, a frame each.
  for (let at = 0; at === 0 || at < text.length; at += PIECE) {
    push(text.slice(at, at + PIECE))
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  while (chat.getSnapshot().status !== 'streaming') await new Promise((resolve) => setTimeout(resolve, 4))
}

expose({ begin, push })
