import { describe, it } from 'vitest'
import { WebSocket } from 'ws'
import { webSocket } from '../../src/wire/frame-requests.ts'
import { startDurable, startProgram, startWorker, type StartedApp } from './start.ts'
import { answerOf, clientOf } from './talk.ts'

/**
 * How long the agent is silent: longer than Bun keeps a silent connection, and than workerd keeps an object without events in memory.
 * `npm run test:silence` has 75 s.
 */
const SILENCE_MS = Number(process.env['CAPSTAN_SILENCE_MS'] ?? 12_000)
/** workerd removes an object from memory after ten seconds without an event. */
const HIBERNATES_AFTER_MS = 12_000
const LONGEST_MS = SILENCE_MS + 60_000

const STARTS: Readonly<Record<string, () => Promise<StartedApp>>> = {
  Bun: () => startProgram('bun'),
  Deno: () => startProgram('deno'),
  workerd: () => startWorker('worker.ts'),
  'a Durable Object': () => startDurable(),
}

describe.concurrent('an agent that is silent for a while', () => {
  it.for(Object.entries(STARTS))(
    'is waited for in %s',
    { timeout: LONGEST_MS },
    async ([, start], { expect, onTestFinished }) => {
      const { url, stop } = await start()
      onTestFinished(stop)
      expect(await answerOf(clientOf(url), `silent ${SILENCE_MS}`)).toBe('First. Last.')
    },
  )

  it('works on in a Durable Object while nobody reads', { timeout: LONGEST_MS }, async ({ expect, onTestFinished }) => {
    const { url, stop } = await startDurable()
    onTestFinished(stop)
    const client = clientOf(url)
    const requestId = crypto.randomUUID()
    const request = await client.createRequest({ text: `silent ${SILENCE_MS}`, conversationId: requestId, requestId })
    const leaving = new AbortController()
    const began = await fetch(new URL('/assist', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: leaving.signal,
    })
    await began.body?.getReader().read()
    leaving.abort()
    await new Promise((resolve) => setTimeout(resolve, SILENCE_MS))
    let text = ''
    for await (const packet of client.assist(request)) if (packet.op === 'DELTA') text += packet.p
    expect(text).toBe('First. Last.')
  })

  it(
    'outlives the hibernation of its Durable Object over a WebSocket: the connection is renewed',
    {
      timeout: LONGEST_MS,
    },
    async ({ expect, onTestFinished }) => {
      const { url, stop } = await startDurable()
      onTestFinished(stop)
      const closed: number[] = []
      let opened = 0
      class Noted extends WebSocket {
        constructor(address: string) {
          super(address)
          opened += 1
          this.on('close', (code) => closed.push(code))
        }
      }
      const instance = async (): Promise<string> => (await fetch(new URL('/sleeper/instance', url))).text()
      const first = await instance()
      const client = clientOf(new URL('/sleeper', url).href, { transport: webSocket({ WebSocket: Noted }) })
      const answer = answerOf(client, 'Hello')
      // The platform keeps the connection of an object that is not in memory, and the next event makes another instance. Each look is an event.
      for (let looks = 0; looks < 4 && (await instance()) === first; looks++) {
        expect([opened, closed]).toEqual([1, []])
        await new Promise((resolve) => setTimeout(resolve, HIBERNATES_AFTER_MS))
      }
      expect(await instance()).not.toBe(first)
      expect(await answer).toBe('You said Hello.')
      expect([opened, closed[0]]).toEqual([2, 1012])
    },
  )
})
