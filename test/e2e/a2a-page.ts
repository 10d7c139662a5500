import { A2AClient } from '../../src/a2a.ts'
import { systemEnvironment } from '../../src/base/ports/environment.ts'
import { textOf } from '../../src/index.ts'
import { DRAIN_MS } from '../../src/seam/drain.ts'
import { createThreadStore } from '../../src/storage.ts'

// A page with one conversation over A2A that is kept, for a browser: the id is behind its `?`. It looks plain, and says what it shows.

const conversationId = new URLSearchParams(location.search).get('conversation') ?? crypto.randomUUID()
/** Reads the rest of a response for as long as it takes: a busy machine may need more than 100 ms for it. */
const { clock } = systemEnvironment
const after = (ms: number, call: () => void) => clock.after(ms === DRAIN_MS ? 60_000 : ms, call)
const client = A2AClient.fromUrl('/rpc', { environment: { clock: { ...clock, after } } })
const store = createThreadStore({ name: 'a2a-page', user: 'u1' })
const chat = store.open({ conversationId, client: () => client })
const answers = () => chat.getSnapshot().messages.filter(({ role }) => role === 'assistant')
const prompts = () =>
  answers().flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'prompt' ? [part.prompt] : [])))

const page = {
  text: (): string => answers().map(textOf).join(''),
  /** Status of the chat, and of each message. */
  statuses: (): string =>
    [chat.getSnapshot().status, ...chat.getSnapshot().messages.map(({ status }) => status)].join(' '),
  error: (): string | undefined => chat.getSnapshot().error?.code,
  /** Kind and state of each prompt, in order. */
  prompts: (): string =>
    prompts()
      .map(({ kind, state }) => `${kind} ${state}`)
      .join(', '),
  /** Bytes of each artifact, in base64. */
  bytes: (): string =>
    answers()
      .flatMap(({ parts }) => parts.map((part) => (part.type === 'artifact' ? (part.bytes ?? '') : '')))
      .join(''),
  ask: (text: string, file?: string): void =>
    void chat.sendMessage({ text, ...(file !== undefined && { files: [{ data: file, name: 'a.bin' }] }) }),
  answer(reply: string): void {
    const open = prompts().find(({ state }) => state === 'open')
    if (open !== undefined) void chat.answer(open.id, { type: 'value', value: { reply } })
  },
  retry: (): void => void chat.retry(),
  stop: (): Promise<string> => chat.stop(),
}

export type A2APage = typeof page

declare global {
  interface Window {
    a2a: A2APage
  }
}

window.a2a = page
store.subscribe(() => {})
chat.subscribe(() => {})
void chat.resume()
