import { useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { CapClient, backoff, textOf } from '../../dist/index.js'
import { Chat, MarkdownProvider, ThreadList } from '../../dist/components.js'
import { markdownEngine } from '../../dist/markdown.js'
import { AgentProvider, useChatInstance, useThreads } from '../../dist/react.js'
import { createThreadStore } from '../../dist/storage.js'
// Where nothing is built yet, the types of `dist` are unknown.
import type { useChatInstance as UseAgentChat } from '../../src/react/use-agent-chat.ts'

// A page with a list of conversations and the chat of one of them. The soak says which one is shown, asks and waits.

const client = new CapClient({ baseUrl: '/cap', retry: backoff({ baseMs: 20, capMs: 50, maxAttempts: 20 }) })
const store = createThreadStore({ name: 'soak' })
type ShownChat = ReturnType<typeof UseAgentChat>
let shown: ShownChat | undefined
let setShown: ((id: string | undefined) => void) | undefined

function Conversation({ id }: { readonly id: string }) {
  const chat = useChatInstance({ conversationId: id })
  useLayoutEffect(() => {
    shown = chat
  }, [chat])
  return <Chat chat={chat} />
}

function Page() {
  const [id, set] = useState<string | undefined>()
  useLayoutEffect(() => {
    setShown = set
  }, [set])
  const threads = useThreads(store)
  return (
    <AgentProvider client={client} store={store}>
      <MarkdownProvider engine={markdownEngine}>
        {id !== undefined && (
          <>
            <ThreadList {...threads} current={id} onSelect={set} />
            <Conversation key={id} id={id} />
          </>
        )}
      </MarkdownProvider>
    </AgentProvider>
  )
}

const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

/** A hang is reported and not waited for. */
const LONGEST_MS = 60_000

/** Resolves when `condition` holds, looking once a frame. */
async function until(what: string, condition: () => boolean): Promise<void> {
  const end = performance.now() + LONGEST_MS
  while (!condition()) {
    if (performance.now() > end)
      throw new Error(`The soak waited a minute for ${what}; the chat is ${JSON.stringify(shown?.getSnapshot())}.`)
    await frame()
  }
}

/** Whether the chat that is shown has so many messages: one that is kept has none until it is read. */
function has(messages: number): boolean {
  return shown?.getSnapshot().messages.length === messages
}

function isQuiet(): boolean {
  const status = shown?.getSnapshot().status
  return status === 'ready' || status === 'error'
}

window.soak = {
  async show(id) {
    // The first render comes after the script.
    await until('the page to be shown', () => setShown !== undefined)
    shown = undefined
    setShown?.(id)
    await until('a chat to be shown', () => id === undefined || shown !== undefined)
    await frame()
  },
  async ask(before) {
    await until('the conversation to be read', () => has(before) && isQuiet())
    const sent = shown?.sendMessage('Where do rivers bend?')
    await until('the answer to begin', () => has(before + 2))
    // Its end is awaited elsewhere, and by then the chat may be off the page.
    sent?.catch(() => {})
  },
  settled: (messages) => until('the answer to end', () => has(messages) && isQuiet()),
  stop: () => void shown?.stop(),
  last() {
    const message = shown?.getSnapshot().messages.at(-1)
    return message === undefined ? '' : `${message.status}:${textOf(message)}`
  },
  async remove(id) {
    await store.remove(id)
  },
  threads: () => store.getSnapshot().threads.length,
}

declare global {
  interface Window {
    soak: {
      show(id: string | undefined): Promise<void>
      ask(before: number): Promise<void>
      settled(messages: number): Promise<void>
      stop(): void
      last(): string
      remove(id: string): Promise<void>
      threads(): number
    }
  }
}

const root = document.querySelector('#root')
if (root) createRoot(root).render(<Page />)
