import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import { createAgentProxy } from '../../../src/server/proxy/agent-proxy.ts'
import { event, onStream } from '../../../src/server/run/agent-output.ts'
import { sqliteEventLog } from '../../../src/server/event-log/sqlite/sqlite-event-log.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { encodeSseFrame } from '../../../src/wire/sse-encoder.ts'
import { createManualClock, settle } from '../../support/manual-clock.ts'
import { allPackets, collect, framesOf, packetsOf, post, postRequest, textOf } from '../peer.ts'
import { createGate, serveAgent } from '../serve-agent.ts'
import { openWasm } from '../event-log/sqlite/open-sqlite.ts'
import { serveProxy, serveUpstream, type RawUpstream } from '../serve-proxy.ts'

const LEFT = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
const RIGHT = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b91'

function packet(seq: number, op: string, p: unknown, stream_id = LEFT): string {
  return encodeSseFrame({
    id: stream_id,
    event: 'stream.packet',
    data: JSON.stringify({ stream_id, seq, op, t: '2026-03-01T08:15:01Z', p }),
  })
}

/** An upstream that plays one answer for each connection it gets. */
async function upstreamOf(...connections: ((res: ServerResponse) => void)[]): Promise<RawUpstream> {
  let count = 0
  return serveUpstream((_req, res) => {
    const play = connections[Math.min(count++, connections.length - 1)]
    if (play !== undefined) play(res)
  })
}

const stream =
  (...frames: string[]) =>
  (res: ServerResponse): void => {
    res.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames.join(''))
  }

const cutAfter =
  (...frames: string[]) =>
  (res: ServerResponse): void => {
    res
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .write(frames.join(''), () => setTimeout(() => res.destroy(), 5))
  }

const status =
  (code: number) =>
  (res: ServerResponse): void =>
    void res.writeHead(code).end()

/** A proxy whose waits have ended at once; `onWait` is told how long they were meant to be. */
async function impatient(
  upstream: RawUpstream,
  options: Parameters<typeof serveProxy>[1] = {},
  onWait?: (ms: number) => void,
  elapsed = (): number => 0,
): ReturnType<typeof serveProxy> {
  const clock = createManualClock()
  const hasty = {
    ...clock,
    now: elapsed,
    date: clock.date,
    after: (ms: number, callback: () => void) => {
      if (ms === 60_000) return clock.after(ms, callback)
      onWait?.(ms)
      return clock.after(0, callback)
    },
  }
  const moving = setInterval(() => void clock.advance(0), 1)
  moving.unref()
  return serveProxy(upstream.origin, { log: memoryEventLog(), clock: hasty, heartbeatMs: 60_000, ...options })
}

describe('a browser that goes away', () => {
  it('leaves the run going, and gets all of it when it comes back: the replay, then live', async () => {
    const middle = createGate()
    let runs = 0
    const agent = await serveAgent(async function* () {
      runs += 1
      yield 'one '
      yield event('PROGRESS_INDICATOR', { label: 'Reading', status: 'running' })
      yield onStream('side', 'two ')
      await middle.opened
      yield 'three'
    })
    const { url } = await serveProxy(agent.origin, { log: memoryEventLog() })
    const leaving = new AbortController()
    const first = framesOf(await post(url, { signal: leaving.signal }))
    const heard = [(await first.next()).value, (await first.next()).value, (await first.next()).value]
    leaving.abort()
    await expect(first.next()).rejects.toThrow(/abort|terminated/)

    const second = framesOf(await post(url, { headers: { 'last-event-id': heard[0]?.id ?? '' } }))
    const again = [(await second.next()).value, (await second.next()).value, (await second.next()).value]
    expect(again).toEqual(heard)
    middle.open()
    const rest = await collect(second)
    expect(rest.map((frame) => (JSON.parse(frame.data) as { op: string }).op)).toEqual(['DELTA', 'CLOSE', 'CLOSE'])
    expect(await collect(framesOf(await post(url)))).toEqual([...again, ...rest])
    expect(runs).toBe(1)
  })

  it('costs the agent one connection, however many come back', async () => {
    const upstream = await upstreamOf(stream(packet(1, 'DELTA', 'all'), packet(2, 'CLOSE', 'finished')))
    const { url } = await serveProxy(upstream.origin, { log: memoryEventLog() })
    const answers = await Promise.all(Array.from({ length: 12 }, async () => allPackets(await post(url))))
    for (const packets of answers) expect(packets).toEqual(answers[0])
    expect(textOf(answers[0] ?? [])).toBe('all')
    expect(upstream.seen).toHaveLength(1)
  })

  it('gets a JSON answer again as well', async () => {
    let runs = 0
    const agent = await serveAgent(async () => ({ output: { run: ++runs } }))
    const { url } = await serveProxy(agent.origin, { log: memoryEventLog() })
    const body: unknown = await (await post(url)).json()
    expect(await (await post(url)).json()).toEqual(body)
    expect(runs).toBe(1)
  })

  it('cannot be read by another user who knows its request id', async () => {
    const agent = await serveAgent(async function* (_request, run) {
      yield run.requestId
    })
    const { url } = await serveProxy(agent.origin, { log: memoryEventLog() })
    const mine = textOf(await allPackets(await post(url)))
    const theirs = textOf(await allPackets(await post(url, { headers: { 'x-user': 'bob' } })))
    expect(theirs).not.toBe(mine)
    expect((await post(url, { headers: { 'x-user': 'eve', 'last-event-id': LEFT } })).status).toBe(409)
  })

  it('shares its log with an agent of the same server, and neither receives the packets of the other', async () => {
    const log = memoryEventLog()
    const authorize = (): string => 'ann'
    const own = createAgentHandler({
      log,
      authorize,
      agent: async function* () {
        yield 'from the handler'
      },
    })
    const agent = await serveAgent(async function* () {
      yield 'from behind the proxy'
    })
    const proxy = createAgentProxy({ upstream: agent.origin, headers: {}, authorize, log })
    const ask = async (handler: typeof proxy): Promise<string> =>
      textOf(await allPackets(await handler(postRequest('http://app.example/assist'))))
    expect([await ask(own), await ask(proxy), await ask(own)]).toEqual([
      'from the handler',
      'from behind the proxy',
      'from the handler',
    ])
  })

  it('receives comments while the agent thinks', async () => {
    const speak = createGate()
    const agent = await serveAgent(async function* () {
      await speak.opened
      yield 'at last'
    })
    const clock = createManualClock()
    const { url } = await serveProxy(agent.origin, { log: memoryEventLog(), clock, idleTimeoutMs: 600_000 })
    const reader = (await post(url)).body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe(': open\n\n')
    const next = reader.read()
    await settle()
    await clock.advance(8_000)
    expect((await next).value).toBe(': heartbeat\n\n')
    speak.open()
    await reader.cancel()
  })
})

describe('a connection to the agent that breaks', () => {
  it('is resumed where it was, and nothing is doubled or lost', async () => {
    const one = [packet(1, 'DELTA', 'one '), packet(1, 'DELTA', 'left ', RIGHT)]
    const two = [packet(2, 'DELTA', 'two '), packet(2, 'CLOSE', 'finished', RIGHT)]
    const three = [packet(3, 'DELTA', 'three'), packet(4, 'CLOSE', 'finished')]
    const upstream = await upstreamOf(cutAfter(...one), cutAfter(...one, ...two), stream(...one, ...two, ...three))
    const { url, errors } = await impatient(upstream)
    const packets = await allPackets(await post(url))
    expect(packets.map(({ stream_id, seq }) => `${stream_id === LEFT ? 'left' : 'right'} ${seq}`)).toEqual([
      'left 1',
      'right 1',
      'left 2',
      'right 2',
      'left 3',
      'left 4',
    ])
    expect(upstream.seen.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, RIGHT, RIGHT])
    expect(new Set(upstream.seen.map(({ body }) => body)).size).toBe(1)
    expect(errors).toMatchObject([{ code: 'truncated' }, { code: 'truncated' }])
  })

  it('that ends without CLOSE is a broken one', async () => {
    const upstream = await upstreamOf(
      stream(packet(1, 'DELTA', 'half ')),
      stream(packet(1, 'DELTA', 'half '), packet(2, 'DELTA', 'whole'), packet(3, 'CLOSE', 'finished')),
    )
    const { url } = await impatient(upstream)
    expect(textOf(await allPackets(await post(url)))).toBe('half whole')
  })

  it('is abandoned after so many tries without anything new, and the answer ends in a typed error', async () => {
    const upstream = await upstreamOf(cutAfter(packet(1, 'DELTA', 'half')), status(503))
    const { url } = await impatient(upstream)
    const packets = await allPackets(await post(url))
    expect(packets.map(({ seq, op }) => `${seq} ${op}`)).toEqual(['1 DELTA', '2 ERROR', '3 CLOSE'])
    expect(packets[1]?.p).toMatchObject({ code: 'upstream_lost', severity: 'FATAL' })
    expect(upstream.seen).toHaveLength(4)
    // The same to whoever comes later, and nobody is asked again.
    expect(await allPackets(await post(url))).toEqual(packets)
    expect(upstream.seen).toHaveLength(4)
  })

  it('is resumed as often as it takes while each connection brings a heartbeat', async () => {
    let now = 0
    let connections = 0
    const fetch = async (): Promise<Response> => {
      connections += 1
      const isLast = connections === 7
      const rest = isLast ? [packet(2, 'DELTA', ' whole'), packet(3, 'CLOSE', 'finished')] : [': heartbeat\n\n']
      const pieces = [': open\n\n', packet(1, 'DELTA', 'half'), ...rest].map((piece) => new TextEncoder().encode(piece))
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const piece = pieces.shift()
            if (piece === undefined) return controller.close()
            if (pieces.length === 0 && !isLast) now += 1_000
            controller.enqueue(piece)
          },
        },
        { highWaterMark: 0 },
      )
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    const upstream = await upstreamOf(status(500))
    const { url } = await impatient(upstream, { fetch, maxResumes: 1 }, undefined, () => now)
    expect(textOf(await allPackets(await post(url)))).toBe('half whole')
    expect(connections).toBe(7)
  })

  it('ends in the TRANSIENT error of the agent when every replay ends right after it', async () => {
    const error = { code: 'overloaded', message: 'Try later.', severity: 'TRANSIENT' }
    const upstream = await upstreamOf(stream(packet(1, 'DELTA', 'half '), packet(2, 'ERROR', error)))
    const { url } = await impatient(upstream)
    const packets = await allPackets(await post(url))
    expect(packets.map(({ seq, op }) => `${seq} ${op}`)).toEqual(['1 DELTA', '2 ERROR', '3 ERROR', '4 CLOSE'])
    expect(packets[2]?.p).toEqual({ ...error, severity: 'FATAL' })
    expect(upstream.seen).toHaveLength(4)
    const silent = await upstreamOf(stream(packet(1, 'DELTA', 'half '), packet(2, 'ERROR', error)), status(503))
    expect((await allPackets(await post((await impatient(silent)).url))).at(-2)?.p).toMatchObject({
      code: 'upstream_lost',
    })
  })

  it('is resumed by the backoff of a session: full jitter under 3 s, then 6 s, and Retry-After as the floor', async () => {
    const busy = (res: ServerResponse): void => void res.writeHead(503, { 'retry-after': '20' }).end()
    const upstream = await upstreamOf(
      cutAfter(packet(1, 'DELTA', 'half ')),
      status(503),
      busy,
      stream(packet(2, 'DELTA', 'whole'), packet(3, 'CLOSE', 'finished')),
    )
    const waits: number[] = []
    const { url } = await impatient(upstream, {}, (ms) => waits.push(ms))
    expect(textOf(await allPackets(await post(url)))).toBe('half whole')
    const floors = [0, 0, 20_000]
    const ceilings = [3000, 6000, 32_000]
    expect(waits).toHaveLength(3)
    for (const [index, ms] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(floors[index] ?? Infinity)
      expect(ms).toBeLessThanOrEqual(ceilings[index] ?? 0)
    }
  })

  it('hands on nothing of a stream that was closed', async () => {
    const upstream = await upstreamOf(
      stream(packet(1, 'DELTA', 'whole'), packet(2, 'CLOSE', 'finished'), packet(3, 'DELTA', 'too late')),
    )
    const { url } = await impatient(upstream)
    expect((await allPackets(await post(url))).map(({ seq, op }) => `${seq} ${op}`)).toEqual(['1 DELTA', '2 CLOSE'])
  })

  it('is abandoned immediately when the agent has lost its record', async () => {
    const upstream = await upstreamOf(cutAfter(packet(1, 'DELTA', 'half')), status(409))
    const { url } = await impatient(upstream)
    expect((await allPackets(await post(url))).map(({ op }) => op)).toEqual(['DELTA', 'ERROR', 'CLOSE'])
    expect(upstream.seen).toHaveLength(2)
  })

  it('ends the answer where the agent began it again: two runs are never mixed', async () => {
    const upstream = await upstreamOf(
      cutAfter(packet(1, 'DELTA', 'first run')),
      stream(packet(1, 'DELTA', 'second run', RIGHT), packet(2, 'CLOSE', 'finished', RIGHT)),
    )
    const { url } = await impatient(upstream)
    const packets = await allPackets(await post(url))
    expect(textOf(packets)).toBe('first run')
    expect(packets.at(-2)?.p).toMatchObject({ code: 'upstream_restarted', severity: 'FATAL' })
    expect(packets.every(({ stream_id }) => stream_id === LEFT)).toBe(true)
  })

  it('cannot be resumed where packets have no numbers, so the client is cut off too', async () => {
    const upstream = await upstreamOf(
      cutAfter(encodeSseFrame({ data: '{"op":"delta","p":"half"}' })),
      stream(encodeSseFrame({ data: '{"op":"delta","p":"half"}' })),
    )
    const { url } = await impatient(upstream)
    await expect(collect(framesOf(await post(url)))).rejects.toThrow(/terminated|abort/)
    expect(upstream.seen).toHaveLength(1)
  })
})

describe('an answer in the log of a proxy', () => {
  it('keeps to its limit', async () => {
    const upstream = await upstreamOf((res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      let seq = 0
      const more = (): void => {
        if (!res.destroyed) res.write(packet(++seq, 'DELTA', 'x'.repeat(1_000)), () => setImmediate(more))
      }
      more()
    })
    const { url } = await impatient(upstream, { maxAnswerLength: 20_000 })
    const packets = await allPackets(await post(url))
    expect(packets.at(-2)?.p).toMatchObject({ code: 'answer_too_large', severity: 'FATAL' })
    expect(packets.map(({ seq }) => seq)).toEqual(packets.map((_, index) => index + 1))
    await expect.poll(() => upstream.open).toBe(0)
  })

  it('ends with the server, and lets the agent go', async () => {
    const upstream = await upstreamOf((res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write(packet(1, 'DELTA', 'so far'))
    })
    const stopping = new AbortController()
    const { url } = await serveProxy(upstream.origin, { log: memoryEventLog(), signal: stopping.signal })
    const packets = packetsOf(await post(url))
    expect((await packets.next()).value).toMatchObject({ op: 'DELTA' })
    stopping.abort()
    const rest = await collect(packets)
    expect(rest.map(({ op }) => op)).toEqual(['ERROR', 'CLOSE'])
    expect(rest[0]?.p).toMatchObject({ code: 'server_stopping' })
    await expect.poll(() => upstream.open).toBe(0)
  })

  it('that the server leaves to another process when it stops has no reader that waits for its end', async () => {
    const upstream = await upstreamOf((res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write(packet(1, 'DELTA', 'so far'))
    })
    const database = openWasm(':memory:')
    onTestFinished(() => void database.close())
    const stopping = new AbortController()
    const { url, errors } = await serveProxy(upstream.origin, {
      log: sqliteEventLog(database),
      signal: stopping.signal,
    })
    const packets = packetsOf(await post(url))
    expect((await packets.next()).value).toMatchObject({ op: 'DELTA' })
    stopping.abort()
    await expect(packets.next()).rejects.toThrow('terminated')
    const again = await post(url)
    expect([again.status, again.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await again.json()).toMatchObject({ code: 'server_stopping' })
    expect(errors).toEqual([])
  })

  it('that is gone is asked for upstream, where it may still be kept', async () => {
    let runs = 0
    const agent = await serveAgent(async function* () {
      runs += 1
      yield 'once'
    })
    const clock = createManualClock()
    const { url } = await serveProxy(agent.origin, { log: memoryEventLog({ clock }), clock })
    const before = await allPackets(await post(url))
    await clock.advance(600_000)
    expect(await allPackets(await post(url, { headers: { 'last-event-id': before[0]?.stream_id ?? '' } }))).toEqual(
      before,
    )
    expect(runs).toBe(1)
  })

  it('is not kept when the agent was never reached: many who asked at once all get the error, and may ask again', async () => {
    const upstream = await upstreamOf(
      status(503),
      status(503),
      status(503),
      status(503),
      status(503),
      stream(packet(1, 'DELTA', 'ready'), packet(2, 'CLOSE', 'finished')),
    )
    const { url } = await serveProxy(upstream.origin, { log: memoryEventLog() })
    const answers = await Promise.all(Array.from({ length: 3 }, async () => (await post(url)).status))
    for (const status of answers) expect([200, 503]).toContain(status)
    expect(answers).toContain(503)
    let response = await post(url)
    while (response.status === 503) response = await post(url)
    expect(textOf(await allPackets(response))).toBe('ready')
  })
})
