import { fetchEventSourceTransport } from '../../src/fetch-event-source.ts'
import { fetchTransport } from '../../src/wire/fetch-transport.ts'
import type { Heard, Script } from './hear.ts'
import { hear } from './hear.ts'

// Runs in the page of test/e2e/transports.test.ts, which calls what is put on the window here.

declare global {
  var hearInPage: (
    transport: 'fetch' | 'fetch-event-source',
    maxFrameBytes: number | undefined,
    script: Script,
  ) => Promise<Heard>
}

globalThis.hearInPage = (transport, maxFrameBytes, script) =>
  hear(transport === 'fetch' ? fetchTransport({ maxFrameBytes }) : fetchEventSourceTransport({ maxFrameBytes }), script)
