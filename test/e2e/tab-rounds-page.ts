import { CapClient, textOf } from '../../src/index.ts'
import { createThreadStore } from '../../src/storage.ts'
import { answerTo } from './named-answer.ts'

// A page with one stored conversation, its id behind the `?`. It tells the test what becomes of each message, what has been
// committed to the database, and whatever it shows that the agent has not said.

/** What a page tells the test: `stored` once a transaction with the user's message has committed, `answer stored` likewise for a complete answer, with its text. */
export interface PageNews {
  readonly what: 'settled' | 'refused' | 'stored' | 'answer stored'
  readonly text: string
  /** Of a refusal. */
  readonly code?: string
}

interface SendRequest {
  /** The page load it is meant for: another one ignores it. */
  readonly load: number
  readonly text: string
  readonly whenBusy: 'reject' | 'queue'
}

interface PartialRecord {
  readonly role?: string
  readonly status?: string
  readonly parts?: readonly { readonly type: string; readonly text?: string }[]
  readonly queued?: readonly { readonly message: { readonly text: string } }[]
}

function newsOf({ role, status, parts = [], queued = [] }: PartialRecord): readonly PageNews[] {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  if (role === 'user') return [{ what: 'stored', text }]
  if (role === 'assistant') return status === 'complete' ? [{ what: 'answer stored', text }] : []
  return queued.map(({ message }) => ({ what: 'stored', text: message.text }))
}

const { put } = IDBObjectStore.prototype
IDBObjectStore.prototype.put = function putAndTell(value: unknown, key) {
  // The library writes messages and states as plain objects; the rows of other stores may name what is not stored yet.
  const news = this.name === 'messages' || this.name === 'states' ? newsOf(value as PartialRecord) : []
  if (news.length > 0) this.transaction.addEventListener('complete', () => news.forEach((each) => window.tell(each)))
  return put.call(this, value, key)
}

const conversationId = new URLSearchParams(location.search).get('conversation') ?? ''
const client = new CapClient({ baseUrl: '/cap' })
const store = createThreadStore({ name: 'rounds', user: 'u1' })
const chat = store.open({ conversationId, client: () => client })

function checkPrefixes(): void {
  const { messages } = chat.getSnapshot()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    const question = messages.find(({ role, requestId }) => role === 'user' && requestId === message.requestId)
    const whole = question === undefined ? '' : answerTo(textOf(question))
    const text = textOf(message)
    if (message.status === 'complete' ? text !== whole : !whole.startsWith(text))
      throw new Error(`Shown is «${text}» (${message.status}), and the agent says «${whole}».`)
  }
}

const page = {
  /** Which load of a page this is; set by the test. */
  load: 0,
  send({ load, text, whenBusy }: SendRequest): void {
    if (load !== page.load) return
    chat.sendMessage(text, { whenBusy }).then(
      (result) =>
        window.tell(
          result.status === 'refused' ? { what: 'refused', text, code: result.error.code } : { what: 'settled', text },
        ),
      (error: unknown) => window.tell({ what: 'refused', text, code: String(error) }),
    )
  },
  stop: (): void => void chat.stop(),
  signOut: (): Promise<void> => store.wipe(),
  look: (): { readonly lines: readonly string[]; readonly persistence: string } => {
    const { messages, queued } = chat.getSnapshot()
    return {
      lines: [
        ...messages.map((message) => `${message.role} ${message.status} ${textOf(message)}`),
        ...queued.map(({ message }) => `queued ${message.text}`),
      ],
      persistence: store.getSnapshot().persistence.where,
    }
  },
}

declare global {
  interface Window {
    round: typeof page | undefined
    /** Given to every page by the test. */
    tell(news: PageNews): void
  }
}

store.subscribe(() => {})
chat.subscribe(checkPrefixes)
void chat.resume()
window.round = page
