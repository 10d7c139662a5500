import { describe, expect, it } from 'vitest'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { createManualClock, settle } from '../../support/manual-clock.ts'
import { allPackets, post, postRequest, textOf } from '../peer.ts'
import { createGate, serveAgent } from '../serve-agent.ts'

describe('a silent agent', () => {
  it('is kept alive by comments on the clock, and leaves no timer behind', async () => {
    const clock = createManualClock()
    const speak = createGate()
    const handler = createAgentHandler({
      clock,
      heartbeatMs: 15_000,
      agent: async function* () {
        await speak.opened
        yield 'at last'
      },
    })
    const response = await handler(postRequest('http://agent.example/assist'))
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe(': open\n\n')
    for (let beat = 0; beat < 3; beat++) {
      const next = reader.read()
      await clock.advance(15_000)
      expect((await next).value).toBe(': heartbeat\n\n')
    }
    speak.open()
    expect((await reader.read()).value).toContain('at last')
    while (!(await reader.read()).done);
    expect(clock.pending).toBe(0)
  })

  it('sends its headers immediately all the same', async () => {
    const { url } = await serveAgent(async function* () {
      await new Promise(() => {})
      yield ''
    })
    expect((await post(url)).status).toBe(200)
  })
})

describe('a reader that is slow or gone', () => {
  it('takes from the log only what it reads', async () => {
    const clock = createManualClock()
    const log = memoryEventLog({ clock })
    let reads = 0
    const counting: typeof log = {
      ...log,
      async begin(key, options) {
        const begun = await log.begin(key, options)
        if (begun.state !== 'created') return begun
        const reader: typeof begun.reader = {
          read: (after, signal) => {
            reads += 1
            return begun.reader.read(after, signal)
          },
        }
        return { ...begun, reader }
      },
    }
    const handler = createAgentHandler({
      clock,
      log: counting,
      agent: async (_request, run) => {
        for (let i = 0; i < 200; i++) {
          await run.write('x'.repeat(500))
          await settle()
        }
      },
    })
    const response = await handler(postRequest('http://agent.example/assist'))
    for (let i = 0; i < 300; i++) await settle()
    const unread = reads
    expect(unread).toBeLessThanOrEqual(3)
    expect(textOf(await allPackets(response))).toHaveLength(100_000)
  })

  it('leaves no timer and no waiting read when it cancels', async () => {
    const clock = createManualClock()
    const handler = createAgentHandler({
      clock,
      agent: async function* () {
        yield 'a'
        await new Promise(() => {})
      },
    })
    const response = await handler(postRequest('http://agent.example/assist'))
    const reader = response.body!.getReader()
    await reader.read()
    await reader.read()
    await settle()
    expect(clock.pending).toBe(1)
    await reader.cancel()
    await settle()
    expect(clock.pending).toBe(0)
  })
})
