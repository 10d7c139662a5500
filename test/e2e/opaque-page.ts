import { CapClient } from '../../src/cap.ts'
import { createChat, textOf } from '../../src/index.ts'
import type { ChatSnapshot } from '../../src/index.ts'
import { createThreadStore } from '../../src/storage.ts'

// A page in a frame without an origin: one chat alone, one of a store of threads. It tells its parent what they show, and asks both when
// its parent says so.

const client = new CapClient({ baseUrl: new URL('/cap', location.href).href })
const store = createThreadStore({ name: 'page', user: 'u1' })
const chats = {
  plain: createChat({ conversationId: '00000000-0000-4000-8000-000000000001', client: () => client }),
  stored: store.open({ conversationId: '00000000-0000-4000-8000-000000000002', client: () => client }),
}

interface Shown {
  readonly chat: string
  readonly statuses: readonly string[]
  readonly text: string
  readonly persistence: string
}

function show(chat: string, { messages }: ChatSnapshot): void {
  const shown: Shown = {
    chat,
    statuses: messages.map(({ status }) => status),
    text: messages
      .filter(({ role }) => role === 'assistant')
      .map(textOf)
      .join(''),
    persistence: JSON.stringify(store.getSnapshot().persistence),
  }
  parent.postMessage(shown, '*')
}

for (const [name, chat] of Object.entries(chats)) {
  chat.subscribe(() => show(name, chat.getSnapshot()))
  void chat.sendMessage(`Question of ${name}`)
}
