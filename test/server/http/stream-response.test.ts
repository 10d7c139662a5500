import { describe, expect, it } from 'vitest'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import { createAgentProxy } from '../../../src/server/proxy/agent-proxy.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { createManualClock, settle } from '../../support/manual-clock.ts'
import { allPackets, postRequest, textOf } from '../peer.ts'
import { serveUpstream } from '../serve-proxy.ts'

const URL_OF_AGENT = 'http://agent.example/assist'

describe('a response that is not read', () => {
  const talking = (
    clock = createManualClock(),
    options: { stallTimeoutMs?: number } = {},
  ): { handler: ReturnType<typeof createAgentHandler>; clock: typeof clock } => {
    const handler = createAgentHandler({
      clock,
      ...options,
      agent: async function* () {
        for (let word = 0; word < 100; word++) yield 'x'.repeat(10_000)
      },
    })
    return { handler, clock }
  }

  it('ends after 60 s with a typed error, and leaves no timer', async () => {
    const { handler, clock } = talking()
    const reader = (await handler(postRequest(URL_OF_AGENT))).body!.getReader()
    await reader.read()
    await settle()
    await clock.advance(59_999)
    expect((await reader.read()).done).toBe(false)
    await settle()
    await clock.advance(60_000)
    await expect(reader.read()).rejects.toMatchObject({ code: 'timeout', severity: 'TRANSIENT' })
    expect(clock.pending).toBe(0)
  })

  it('ends as well when nothing at all was read', async () => {
    const { handler, clock } = talking(createManualClock(), { stallTimeoutMs: 5_000 })
    const response = await handler(postRequest(URL_OF_AGENT))
    await clock.advance(5_000)
    await expect(response.text()).rejects.toMatchObject({ code: 'timeout' })
    expect(clock.pending).toBe(0)
  })

  it('continues for one who reads slowly, and for ever where the option says so', async () => {
    const { handler, clock } = talking()
    const reader = (await handler(postRequest(URL_OF_AGENT))).body!.getReader()
    let length = 0
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      length += step.value.byteLength
      await settle()
      await clock.advance(59_000)
    }
    expect(length).toBeGreaterThan(1_000_000)
    const patient = talking(createManualClock(), { stallTimeoutMs: Infinity })
    const response = await patient.handler(postRequest(URL_OF_AGENT))
    await patient.clock.advance(3_600_000)
    expect(textOf(await allPackets(response))).toHaveLength(1_000_000)
  })

  it('is cut when its run was evicted, and its client gets 409', async () => {
    const log = memoryEventLog({ clock: createManualClock(), maxBytes: 100_000 })
    const handler = createAgentHandler({
      log,
      clock: createManualClock(),
      agent: async function* () {
        for (let word = 0; word < 100; word++) yield 'x'.repeat(10_000)
      },
    })
    const reader = (await handler(postRequest(URL_OF_AGENT))).body!.getReader()
    await reader.read()
    for (let turn = 0; turn < 300; turn++) await settle()
    const rest = async (): Promise<number> => {
      let length = 0
      for (let step = await reader.read(); !step.done; step = await reader.read()) length += step.value.byteLength
      return length
    }
    await expect(rest()).rejects.toMatchObject({ code: 'log_expired' })
    const again = await handler(postRequest(URL_OF_AGENT, { headers: { 'last-event-id': 'x' } }))
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'log_expired' }])
  })

  it('lets go of the upstream of a proxy without a log', async () => {
    const clock = createManualClock()
    const upstream = await serveUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\ndata: {"op":"delta","p":"hello"}\n\n')
    })
    const proxy = createAgentProxy({ upstream: upstream.origin, headers: {}, authorize: () => 'ann', clock })
    const reader = (await proxy(postRequest('http://app.example/assist'))).body!.getReader()
    await reader.read()
    expect(upstream.open).toBe(1)
    await clock.advance(60_000)
    await expect(reader.read()).rejects.toMatchObject({ code: 'timeout' })
    await expect.poll(() => upstream.open).toBe(0)
    expect(clock.pending).toBe(0)
  })

  it('keeps every character whole, wherever the pieces of a long frame are cut', async () => {
    const said = `${'é'.repeat(7)}${'😀'.repeat(20_001)}`
    const handler = createAgentHandler({
      clock: createManualClock(),
      agent: async function* () {
        yield said
        yield `x${said}`
      },
    })
    const response = await handler(postRequest(URL_OF_AGENT))
    expect(textOf(await allPackets(response))).toBe(`${said}x${said}`)
  })
})
