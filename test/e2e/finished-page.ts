import { systemEnvironment } from '../../src/base/ports/environment.ts'
import { AgUiClient } from '../../src/ag-ui.ts'
import { AiSdkClient } from '../../src/ai-sdk.ts'
import { CapClient, createChat, textOf } from '../../src/index.ts'
import { fetchEventSourceTransport } from '../../src/fetch-event-source.ts'
import { DRAIN_MS } from '../../src/seam/drain.ts'

// A page with one chat for each protocol and transport, for a browser.

/** Reads the rest of a response for as long as it takes: a busy machine may need more than 100 ms for it. */
const { clock } = systemEnvironment
const PATIENT = {
  ...systemEnvironment,
  clock: { ...clock, after: (ms: number, call: () => void) => clock.after(ms === DRAIN_MS ? 60_000 : ms, call) },
}

const CLIENTS = {
  cap: () => new CapClient({ baseUrl: '/cap', environment: PATIENT }),
  'fetch-event-source': () =>
    new CapClient({ baseUrl: '/cap', transport: fetchEventSourceTransport(), environment: PATIENT }),
  'ag-ui': () => new AgUiClient({ url: '/ag-ui', environment: PATIENT }),
  'ai-sdk': () => new AiSdkClient({ api: '/chat', environment: PATIENT }),
  impatient: () => new CapClient({ baseUrl: '/cap' }),
  'impatient fetch-event-source': () => new CapClient({ baseUrl: '/cap', transport: fetchEventSourceTransport() }),
} as const

export type FinishedClient = keyof typeof CLIENTS

/** Asks once. Resolves when the answer has ended, with its status and text. */
async function ask(name: FinishedClient): Promise<string> {
  const client = CLIENTS[name]()
  const chat = createChat({ conversationId: crypto.randomUUID(), client: () => client, callbacks: () => ({}) })
  await chat.sendMessage('Go.')
  const last = chat.getSnapshot().messages.at(-1)
  return `${last?.status} ${last === undefined ? '' : textOf(last)}`
}

declare global {
  interface Window {
    askOnce: typeof ask
  }
}

window.askOnce = ask
