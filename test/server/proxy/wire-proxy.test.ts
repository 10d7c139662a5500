import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/index.ts'
import { createAgentProxy, type AgentProxyOptions } from '../../../src/server/proxy/agent-proxy.ts'
import type { EventLog, LogEntry } from '../../../src/server/event-log/event-log.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { collect, framesOf } from '../peer.ts'
import { nowhere, SECRET, serveProxy, serveUpstream } from '../serve-proxy.ts'
import {
  answerText,
  chatOn,
  followRun,
  postRun,
  serveAnswers,
  serveWire,
  WIRES,
  type WireName,
  PATIENTLY,
} from '../serve-wire.ts'
import { answerOf } from '../../support/answer-of.ts'

const BOB = { 'x-user': 'bob' }

/** The answer in two halves: the second one goes out when the test says so. */
function inHalves(wire: WireName): { answer: (res: ServerResponse) => void; finish: () => void } {
  const body = answerText(wire, 'Rivers ', 'meander.')
  const middle = body.indexOf('\n\n', body.indexOf('Rivers')) + 2
  let finish = (): void => {}
  return {
    answer(res) {
      res.write(body.slice(0, middle))
      finish = () => res.end(body.slice(middle))
    },
    finish: () => finish(),
  }
}

const textIn = (frames: readonly { readonly data: string }[]): string =>
  frames
    .flatMap(({ data }) => (data.startsWith('{') ? [(JSON.parse(data) as { delta?: string }).delta ?? ''] : []))
    .join('')

describe.each(WIRES)('a proxy of wire %s', (wire) => {
  it('gives a page that left and comes back what is new to it, numbered, from one POST', async () => {
    const halves = inHalves(wire)
    const upstream = await serveAnswers(halves.answer)
    const { url } = await serveWire(wire, upstream)
    const leaving = new AbortController()
    const response = await postRun(wire, url, 'run-1', {}, leaving.signal)
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe(wire === 'ai-sdk' ? 'v1' : null)
    const first = framesOf(response)
    const heard = [(await first.next()).value, (await first.next()).value]
    expect(heard.map((frame) => frame?.id)).toEqual(['run-1/1', 'run-1/2'])
    leaving.abort()
    await expect(collect(first)).rejects.toThrow(/abort|terminated/)
    halves.finish()
    const rest = await collect(framesOf(await followRun(wire, url, 'run-1', { 'last-event-id': 'run-1/2' })))
    expect(rest[0]?.id).toBe('run-1/3')
    const all = await collect(framesOf(await followRun(wire, url, 'run-1')))
    expect(all).toEqual([...heard, ...rest])
    expect(textIn(all)).toBe('Rivers meander.')
    expect(upstream.seen).toHaveLength(1)
    expect(upstream.seen[0]?.headers).toMatchObject({ authorization: `Bearer ${SECRET}`, accept: 'text/event-stream' })
    expect(upstream.seen[0]?.path).toBe('/up')
  })

  it('posts once, however often the same run is posted', async () => {
    const body = answerText(wire, 'Rivers ', 'meander.')
    const upstream = await serveAnswers((res) => res.end(body))
    const { url } = await serveWire(wire, upstream)
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => collect(framesOf(await postRun(wire, url, 'run-1')))),
    )
    // As it was said, with nothing behind its end.
    const said = body.split('\n').filter((row) => row.startsWith('data: '))
    for (const answer of answers) expect(answer.map(({ data }) => `data: ${data}`)).toEqual(said)
    expect(upstream.seen).toHaveLength(1)
  })

  it.each(['end', 'reset', 'silence'] as const)('passes an early %s on as a failure, never as an end', async (how) => {
    const clock = createManualClock()
    const half = answerText(wire, 'Rivers ', 'meander.')
    const upstream = await serveAnswers((res) => {
      res.write(half.slice(0, half.indexOf('meander')), () => {
        if (how === 'end') res.end()
        if (how === 'reset') setImmediate(() => res.destroy())
      })
    })
    const { url } = await serveWire(wire, upstream, { clock })
    const chat = chatOn(wire, url)
    const sent = chat.sendMessage('Go on.')
    if (how === 'silence') {
      await expect.poll(() => textOf(answerOf(chat)), PATIENTLY).toBe('Rivers ')
      // The wait for more begins a moment after the page has the text.
      const statusLater = async (): Promise<string> => {
        await clock.advance(60_000)
        return answerOf(chat).status
      }
      await expect.poll(statusLater, PATIENTLY).toBe('failed')
    }
    await sent
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['failed', 'Rivers '])
    expect(chat.getSnapshot().error?.message).toContain('connection to the agent was lost')
    expect(upstream.seen).toHaveLength(1)
    await chat.dispose()
  })

  it('stops the run of the server when the user stops it', async () => {
    const halves = inHalves(wire)
    const upstream = await serveAnswers(halves.answer)
    const { url } = await serveWire(wire, upstream)
    const chat = chatOn(wire, url)
    const sent = chat.sendMessage('Go on.')
    await expect.poll(() => textOf(answerOf(chat)), PATIENTLY).toBe('Rivers ')
    expect(upstream.open).toBe(1)
    await chat.stop()
    await sent
    await expect.poll(() => upstream.open, PATIENTLY).toBe(0)
    expect([answerOf(chat).status, answerOf(chat).stop]).toEqual(['stopped', 'left'])
    await chat.dispose()
  })

  it('ends a stopped run for everybody who reads it, and confirms no stop, because the server confirms none', async () => {
    const upstream = await serveAnswers(inHalves(wire).answer)
    const { url } = await serveWire(wire, upstream)
    const reading = collect(framesOf(await postRun(wire, url, 'run-1')))
    const stop = (user = 'ann'): Promise<Response> =>
      fetch(wire === 'ag-ui' ? `${url}/stop` : `${url}/chat-1/stop`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-user': user },
        body: JSON.stringify({ threadId: 'chat-1', runId: 'run-1' }),
      })
    expect((await stop('bob')).status).toBe(404)
    const unconfirmed = { code: 'cancel_unconfirmed', details: { ended: 'unconfirmed' } }
    const first = await stop()
    expect([first.status, await first.json()]).toMatchObject([504, unconfirmed])
    const last = (await reading).map(({ data }): unknown => (data.startsWith('{') ? JSON.parse(data) : data))
    const words = expect.stringContaining('still be working')
    expect(last.slice(-2)).toMatchObject(
      wire === 'ag-ui'
        ? [{ type: 'TEXT_MESSAGE_CONTENT' }, { type: 'RUN_ERROR', code: 'cancel_unconfirmed', message: words }]
        : [{ type: 'error', errorText: words }, '[DONE]'],
    )
    const again = await stop()
    expect([again.status, await again.json()]).toMatchObject([504, unconfirmed])
  })

  it('refuses to stop a run that its server has finished', async () => {
    const upstream = await serveAnswers((res) => res.end(answerText(wire, 'Rivers')))
    const { url } = await serveWire(wire, upstream)
    await collect(framesOf(await postRun(wire, url, 'run-1')))
    const stopped = await fetch(wire === 'ag-ui' ? `${url}/stop` : `${url}/chat-1/stop`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user': 'ann' },
      body: JSON.stringify({ threadId: 'chat-1', runId: 'run-1' }),
    })
    expect([stopped.status, await stopped.json()]).toMatchObject([409, { details: { ended: 'finished' } }])
  })

  it('lets nobody else follow a run, and runs nothing for who knows frames of one', async () => {
    const upstream = await serveAnswers((res) => res.end(answerText(wire, 'Rivers')))
    const { url } = await serveWire(wire, upstream)
    await collect(framesOf(await postRun(wire, url, 'run-1')))
    const nothing = wire === 'ag-ui' ? 404 : 204
    expect((await followRun(wire, url, 'run-1', BOB)).status).toBe(nothing)
    expect((await followRun(wire, url, 'run-2')).status).toBe(nothing)
    expect((await postRun(wire, url, 'run-2', { 'last-event-id': 'run-2/4' })).status).toBe(409)
    expect((await followRun(wire, url, 'run-1', { 'last-event-id': 'run-2/4' })).status).toBe(400)
    expect(upstream.seen).toHaveLength(1)
  })

  it('says that a log has expired, and does not run it again', async () => {
    const clock = createManualClock()
    const upstream = await serveAnswers((res) => res.end(answerText(wire, 'Rivers')))
    const { url } = await serveWire(wire, upstream, { log: memoryEventLog({ ttlMs: 1000, clock }) })
    await collect(framesOf(await postRun(wire, url, 'run-1')))
    await clock.advance(1001)
    expect((await followRun(wire, url, 'run-1')).status).toBe(wire === 'ag-ui' ? 409 : 204)
    expect((await postRun(wire, url, 'run-1')).status).toBe(409)
    expect(upstream.seen).toHaveLength(1)
  })

  it.each([
    [401, 502],
    [429, 429],
    [503, 503],
    [302, 502],
    [200, 502],
  ])('answers %s of the server with %s, shows nothing of it, and posts no run twice', async (status, seen) => {
    const upstream = await serveUpstream((_req, res) =>
      res.writeHead(status, { 'content-type': 'text/html' }).end(SECRET),
    )
    const { url, errors } = await serveWire(wire, upstream)
    const response = await postRun(wire, url, 'run-1')
    expect(response.status).toBe(seen)
    expect(await response.text()).not.toContain(SECRET)
    expect(errors).toHaveLength(1)
    expect((await postRun(wire, url, 'run-1')).status).toBe(409)
    expect(upstream.seen).toHaveLength(1)
  })

  it('answers 502 where nobody listens', async () => {
    const { origin, errors } = await serveProxy(await nowhere(), { wire })
    expect((await postRun(wire, `${origin}/agent`, 'run-1')).status).toBe(502)
    expect(errors).toMatchObject([{ code: 'network_error' }])
  })

  it('refuses what is not a request of the wire, and other methods', async () => {
    const upstream = await serveAnswers((res) => res.end())
    const { url } = await serveWire(wire, upstream)
    const post = (body: string, type = 'application/json'): Promise<Response> =>
      fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
    expect((await post('{}')).status).toBe(400)
    expect((await post('[')).status).toBe(400)
    expect((await post('{}', 'text/plain')).status).toBe(415)
    expect((await fetch(url, { method: 'PUT' })).status).toBe(405)
    expect((await fetch(`${url}/chat-1/stop`)).status).toBe(405)
    expect((await fetch(wire === 'ag-ui' ? url : `${url}/chat-1/stream`)).status).toBe(wire === 'ag-ui' ? 400 : 204)
    expect(upstream.seen).toHaveLength(0)
  })

  it('ends an answer that is longer than it may be', async () => {
    const upstream = await serveAnswers((res) => res.write(answerText(wire, 'x'.repeat(5000))))
    const { url } = await serveWire(wire, upstream, { maxAnswerLength: 2000 })
    const frames = await collect(framesOf(await postRun(wire, url, 'run-1')))
    expect(frames.map(({ data }) => data).join('')).toContain('exceeds what this server stores')
    await expect.poll(() => upstream.open, PATIENTLY).toBe(0)
  })

  it('never gives an answer as whole of which the log has lost a frame', async () => {
    const log = memoryEventLog()
    const full = new Error('The store is full.')
    let count = 0
    const failing: EventLog = {
      ...log,
      async begin(key, begin) {
        const begun = await log.begin(key, begin)
        if (begun.state !== 'created' || key.includes('thread')) return begun
        const append = (entry: LogEntry): Promise<void> => {
          count += 1
          return count === 4 ? Promise.reject(full) : begun.writer.append(entry)
        }
        return { ...begun, writer: { ...begun.writer, append } }
      },
    }
    const upstream = await serveAnswers((res) => res.end(answerText(wire, 'Rivers ', 'meander.')))
    const { url, errors } = await serveWire(wire, upstream, { log: failing })
    // Whether the connection breaks or is refused depends on when the page begins to read.
    const reading = postRun(wire, url, 'run-1').then((response) => response.text())
    expect(await reading.catch(() => 'broken')).not.toMatch(/RUN_FINISHED|"finish"|DONE/)
    await expect.poll(() => errors, PATIENTLY).toContain(full)
    expect((await followRun(wire, url, 'run-1')).status).toBe(wire === 'ag-ui' ? 409 : 204)
    expect((await postRun(wire, url, 'run-1')).status).toBe(409)
    expect(upstream.seen).toHaveLength(1)
  })

  it('ends its runs when the server goes down', async () => {
    const stopping = new AbortController()
    const upstream = await serveAnswers(inHalves(wire).answer)
    const { url } = await serveWire(wire, upstream, { signal: stopping.signal })
    const frames = framesOf(await postRun(wire, url, 'run-1'))
    await frames.next()
    stopping.abort()
    expect((await collect(frames)).map(({ data }) => data).join('')).toContain('The server stopped')
    await expect.poll(() => upstream.open, PATIENTLY).toBe(0)
  })

  it('keeps what platforms would freeze awake until the run has ended', async () => {
    const halves = inHalves(wire)
    const upstream = await serveAnswers(halves.answer)
    const kept: Promise<void>[] = []
    const { url } = await serveWire(wire, upstream, { waitUntil: (run) => void kept.push(run) })
    const response = await postRun(wire, url, 'run-1')
    expect(kept).toHaveLength(1)
    halves.finish()
    await kept[0]
    expect(textIn(await collect(framesOf(response)))).toBe('Rivers meander.')
  })

  it('takes a name of a run that no header could carry', async () => {
    const upstream = await serveAnswers((res) => res.end(answerText(wire, 'Rivers')))
    const { url } = await serveWire(wire, upstream)
    const run = wire === 'ag-ui' ? 'Fluß 🌊\n/1' : `${'long'.repeat(100)}/7`
    const frames = await collect(framesOf(await postRun(wire, url, run)))
    expect(frames[0]?.id).toMatch(/^[0-9a-f-]{36}\/1$/)
    const rest = await followRun(wire, url, run, { 'last-event-id': frames[0]?.id ?? '' })
    expect(await collect(framesOf(rest))).toEqual(frames.slice(1))
    expect(upstream.seen).toHaveLength(1)
  })

  it('answers preflights with what its clients send', async () => {
    const upstream = await serveAnswers((res) => res.end())
    const { url } = await serveWire(wire, upstream, { cors: { origins: ['https://app.example'] } })
    const response = await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://app.example' } })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-headers')).toContain('x-run-id')
  })

  it.each([
    [{ path: '/runs' }, 'path'],
    [{ maxResumes: 2 }, 'maxResumes'],
    [{ upstream: 'agent.example' }, 'upstream'],
    [{ upstream: 'https://agent.example/?key=1' }, 'upstream'],
  ] satisfies [Partial<AgentProxyOptions>, string][])('refuses the options %j', (options, name) => {
    const make = (): unknown =>
      createAgentProxy({ wire, upstream: 'https://agent.example', headers: {}, authorize: () => 'ann', ...options })
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_config', message: expect.stringContaining(name) }))
  })
})

describe('a proxy', () => {
  it('refuses a wire that it does not know', () => {
    // What a page without types may write.
    const wire = 'grpc' as 'ag-ui'
    expect(() =>
      createAgentProxy({ wire, upstream: 'https://agent.example', headers: {}, authorize: () => 'ann' }),
    ).toThrow(expect.objectContaining({ code: 'invalid_config' }))
  })
})
