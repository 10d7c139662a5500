// The barest React page: the same server-sent events, one state update a frame, the text in one element. No markdown, no checks.
import { createElement, useEffect, useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { expose } from './play.js'

const decoder = new TextDecoder()
const encoder = new TextEncoder()
let line
let seq = 0

const push = (token) => {
  seq += 1
  line.enqueue(
    encoder.encode(
      `data: ${JSON.stringify({ stream_id: 'live', seq, op: 'DELTA', t: new Date().toISOString(), p: token })}\n\n`,
    ),
  )
}

/** Reads the answer, and hands over all of it at most once a frame. */
async function read(show) {
  const body = new ReadableStream({
    start(controller) {
      line = controller
    },
  })
  const reader = new Response(body).body.getReader()
  let text = ''
  let rest = ''
  let asked = false
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const frames = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = frames.pop()
    for (const frame of frames) text += JSON.parse(frame.slice(6)).p
    if (asked) continue
    asked = true
    requestAnimationFrame(() => {
      asked = false
      show(text)
    })
  }
}

function Page({ messages, tag }) {
  const [text, show] = useState('')
  useEffect(() => void read(show), [])
  useLayoutEffect(() => {
    const view = document.querySelector('.view')
    view.scrollTop = view.scrollHeight
  })
  return createElement(
    'div',
    { className: 'view' },
    messages.map(({ id, text }) => createElement('p', { key: id, className: 'message' }, text)),
    createElement(tag, { className: 'message' }, text),
  )
}

function Field() {
  const [text, setText] = useState('')
  return createElement('textarea', { value: text, onChange: (event) => setText(event.target.value) })
}

async function begin(messages, text, box) {
  createRoot(box).render([
    createElement(Page, { key: 'view', messages, tag: text.startsWith('```') ? 'pre' : 'p' }),
    createElement(Field, { key: 'field' }),
  ])
  while (line === undefined) await new Promise((resolve) => setTimeout(resolve, 4))
  push(text)
}

expose({ begin, push })
