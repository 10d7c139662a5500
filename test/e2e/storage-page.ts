import { CapClient, textOf } from '../../src/index.ts'
import { createThreadStore } from '../../src/storage.ts'

// A page with one conversation that is kept, for a browser: the id is behind its `?`. It looks plain, and says what it shows. With
// `stop` behind the `?` it stops what runs as soon as it is opened.

const query = new URLSearchParams(location.search)
const conversationId = query.get('conversation') ?? crypto.randomUUID()
const client = new CapClient({ baseUrl: '/cap', apiKey: 'canary-key' })
const store = createThreadStore({ name: 'page', user: 'u1' })
const chat = store.open({ conversationId, client: () => client })

const page = {
  text: (): string =>
    chat
      .getSnapshot()
      .messages.filter(({ role }) => role === 'assistant')
      .map(textOf)
      .join(''),
  statuses: (): string =>
    chat
      .getSnapshot()
      .messages.map(({ status }) => status)
      .join(' '),
  ask: (text: string): void => void chat.sendMessage(text),
  stop: (): Promise<string> => chat.stop(),
  /** What a stop at the first moment of the page returned; undefined when none was asked for. */
  stopAtOnce: undefined as Promise<string> | undefined,
  persistence: (): string => JSON.stringify(store.getSnapshot().persistence),
  wipe: (): Promise<void> => store.wipe(),
}

export type StoragePage = typeof page

declare global {
  interface Window {
    chat: StoragePage
  }
}

window.chat = page
const main = document.createElement('main')
document.body.append(main)
chat.subscribe(() => {
  main.textContent = page.text()
})
store.subscribe(() => {})
void chat.resume()
if (query.has('stop')) page.stopAtOnce = chat.stop()
