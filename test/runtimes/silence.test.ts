import { describe, it } from 'vitest'
import { startDurable, startProgram, startWorker, type StartedApp } from './start.ts'
import { answerOf, clientOf } from './talk.ts'

/**
 * How long the agent is silent: longer than Bun keeps a silent connection, and than workerd keeps an object without events in memory.
 * `npm run test:silence` has 75 s.
 */
const SILENCE_MS = Number(process.env['CAPSTAN_SILENCE_MS'] ?? 12_000)
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
})
