import { EventEmitter } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { createAgentProxy } from '../../src/server/proxy/agent-proxy.ts'
import type { LogEntry } from '../../src/server/event-log/event-log.ts'
import { memoryEventLog } from '../../src/server/event-log/memory-event-log.ts'
import type { NodeRequest, NodeResponse } from '../../src/server/node/node-http.ts'
import { toNodeListener } from '../../src/server/node/node-listener.ts'
import { createManualClock, settle } from '../support/manual-clock.ts'
import { create, frame, never, readAll } from './event-log-contract.ts'
import { allPackets, postRequest, serve, textOf } from './peer.ts'
import { serveUpstream } from './serve-proxy.ts'

const URL_OF_AGENT = 'http://agent.example/assist'

describe('a log in memory', () => {
  it('gives a reader that is behind a bounded part at a time, and all of it in the end', async () => {
    const log = memoryEventLog({ clock: createManualClock() })
    const { writer, reader } = await create(log, 'run')
    const entries = Array.from({ length: 300 }, (_, index) => frame(`${index} ${'x'.repeat(5000)}`))
    for (const entry of entries) await writer.append(entry)
    await writer.close()
    const first = await reader.read(0, never)
    expect(first.entries.length).toBeLessThan(20)
    expect([first.end, first.closed]).toEqual([first.entries.length, false])
    expect(await readAll(reader)).toEqual(entries)
  })

  it('lets go of the text of an evicted run, whoever still reads it, and tells them', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void // the flag puts it there
    const log = memoryEventLog({ clock: createManualClock(), maxBytes: 1_000_000 })
    const held: WeakRef<LogEntry>[] = []
    const readers = []
    for (let run = 0; run < 30; run++) {
      const { writer, reader } = await create(log, `run ${run}`)
      for (let count = 0; count < 10; count++) {
        const entry = frame('x'.repeat(20_000))
        held.push(new WeakRef(entry))
        await writer.append(entry)
      }
      await reader.read(0, never)
      readers.push(reader)
      await writer.close()
    }
    await settle()
    collectGarbage()
    // Two finished runs of 400 kB fit into the limit.
    expect(held.filter((entry) => entry.deref() !== undefined)).toHaveLength(20)
    const told = await Promise.all(readers.map(async (reader) => reader.read(4, never).then(() => 'more', (error: unknown) => error)))
    expect(told.filter((each) => each === 'more')).toHaveLength(2)
    expect(told[0]).toMatchObject({ code: 'log_expired', severity: 'FATAL' })
  })
})

describe('a response that is not read', () => {
  const talking = (clock = createManualClock(), options: { stallTimeoutMs?: number } = {}): { handler: ReturnType<typeof createAgentHandler>; clock: typeof clock } => {
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

  it('goes on for one who reads slowly, and for ever where the option says so', async () => {
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

  it('is cut when its run was evicted, and its client is told by 409', async () => {
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

/** A socket that takes one piece whenever the test says so. */
class ScriptedResponse extends EventEmitter implements NodeResponse {
  readonly writes: number[] = []
  writableFinished = false
  destroyed = false
  shouldKeepAlive = true
  ended = false
  writeHead(): void {}
  flushHeaders(): void {}
  write(bytes: Uint8Array): boolean {
    this.writes.push(bytes.byteLength)
    return false
  }
  end(): void {
    this.ended = true
  }
  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

function scriptedRequest(): NodeRequest {
  return Object.assign(new EventEmitter(), { method: 'GET', url: '/', headers: {}, complete: true, readableEnded: true, socket: {}, pause: () => {}, resume: () => {} })
}

describe('a socket behind Node', () => {
  const start = (body: Uint8Array<ArrayBuffer>): { clock: ReturnType<typeof createManualClock>; res: ScriptedResponse } => {
    const clock = createManualClock()
    const res = new ScriptedResponse()
    toNodeListener(async () => new Response(body), { clock })(scriptedRequest(), res)
    return { clock, res }
  }

  it('that does not drain for 60 s is destroyed, and one that drains slowly is not', async () => {
    const { clock, res } = start(new Uint8Array(1_000_000))
    await settle()
    for (let piece = 1; piece <= 5; piece++) {
      expect(res.writes).toHaveLength(piece)
      await clock.advance(59_999)
      res.emit('drain')
      await settle()
    }
    expect(Math.max(...res.writes)).toBeLessThanOrEqual(65_536)
    await clock.advance(59_999)
    expect(res.destroyed).toBe(false)
    await clock.advance(1)
    expect([res.destroyed, res.ended, clock.pending]).toEqual([true, false, 0])
  })

  it('is destroyed as well when only the end is not taken, and leaves no timer when it is', async () => {
    for (const taken of [true, false]) {
      const { clock, res } = start(new Uint8Array(10))
      await settle()
      res.emit('drain')
      await settle()
      expect(res.ended).toBe(true)
      if (taken) res.emit('close')
      expect(clock.pending).toBe(taken ? 0 : 1)
      await clock.advance(60_000)
      expect([res.destroyed, clock.pending]).toEqual([!taken, 0])
    }
  })

  it('of a real client that never reads is closed, and its request aborted', async () => {
    const clock = createManualClock()
    const whole = new Uint8Array(30_000_000)
    let aborted = 0
    const listener = toNodeListener(
      async (http) => {
        http.signal.addEventListener('abort', () => (aborted += 1))
        return new Response(whole)
      },
      { clock },
    )
    const origin = await serve(listener)
    const socket = connectSocket(Number(new URL(origin).port), '127.0.0.1').pause()
    onTestFinished(() => void socket.destroy())
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await expect.poll(() => clock.pending).toBe(1)
    await clock.advance(60_000)
    await expect.poll(() => aborted).toBe(1)
    expect((await (await fetch(origin)).arrayBuffer()).byteLength).toBe(whole.byteLength)
    expect(aborted).toBe(1)
  })
})
