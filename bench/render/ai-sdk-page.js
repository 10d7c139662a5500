// What most would write with the AI SDK: `useChat` over a scripted transport, streamdown for each answer, the end in view.
import { useChat } from '@ai-sdk/react'
import { createElement, memo, useEffect, useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Streamdown } from 'streamdown'
import { expose } from './play.js'

let line

const transport = {
  sendMessages: async () =>
    new ReadableStream({
      start(controller) {
        line = controller
        controller.enqueue({ type: 'start', messageId: 'live' })
        controller.enqueue({ type: 'text-start', id: 't' })
      },
    }),
  reconnectToStream: async () => null,
}

const push = (token) => line.enqueue({ type: 'text-delta', id: 't', delta: token })

// Kind to it: messages that did not change do not render.
const Message = memo(function Message({ role, text, live }) {
  return createElement(
    'article',
    { className: 'message' },
    role === 'user' ? createElement('p', null, text) : createElement(Streamdown, { isAnimating: live }, text),
  )
})

function Thread({ before, onReady }) {
  const { messages, sendMessage, status } = useChat({ messages: before, transport })
  useLayoutEffect(() => {
    const view = document.querySelector('.view')
    view.scrollTop = view.scrollHeight
  })
  useEffect(() => onReady(sendMessage), [onReady, sendMessage])
  return createElement(
    'div',
    { className: 'view' },
    messages.map(({ id, role, parts }, at) =>
      createElement(Message, {
        key: id,
        role,
        text: parts.map(({ type, text }) => (type === 'text' ? text : '')).join(''),
        live: status === 'streaming' && at === messages.length - 1,
      }),
    ),
  )
}

function Field() {
  const [text, setText] = useState('')
  return createElement('textarea', { value: text, onChange: (event) => setText(event.target.value) })
}

async function begin(messages, text, box) {
  const before = messages.map(({ id, role, text }) => ({ id, role, parts: [{ type: 'text', text }] }))
  const send = await new Promise((resolve) => {
    createRoot(box).render([
      createElement(Thread, { key: 'view', before, onReady: resolve }),
      createElement(Field, { key: 'field' }),
    ])
  })
  void send({ text: 'Tell me everything' })
  while (line === undefined) await new Promise((resolve) => setTimeout(resolve, 4))
  push(text)
  // Until its end is on the page.
  const end = text
    .trimEnd()
    .slice(-12)
    .replaceAll(/[^a-z0-9 ].*/g, '')
  for (let tries = 0; tries < 2000 && !box.firstElementChild?.lastElementChild?.textContent.includes(end); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 4))
}

expose({ begin, push })
