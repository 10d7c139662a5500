import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { collect, framesOf } from '../peer.ts'
import { serveUpstream } from '../serve-proxy.ts'
import { answerText, followRun, postRun, serveWire, WIRES } from '../serve-wire.ts'

const USERS = ['ann', 'bob'] as const

interface Input {
  readonly runId: string
  readonly parentRunId?: string
}

/** An AG-UI server that echoes the ids of its request, in each place where an event may contain them. */
function echo(res: ServerResponse, { runId, parentRunId }: Input): void {
  const ids = { threadId: 'chat-1', runId, parentRunId }
  const events = [
    { type: 'RUN_STARTED', ...ids, input: { ...ids, messages: [] } },
    { type: 'TEXT_MESSAGE_START', messageId: `m-${runId}`, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: `m-${runId}`, delta: `{"runId":"${runId}"}` },
    { type: 'TEXT_MESSAGE_END', messageId: `m-${runId}` },
    { type: 'RUN_FINISHED', ...ids },
  ]
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) res.write(`data: ${JSON.stringify(event)}\n\n`)
}

describe.each(WIRES)('ids of runs that a proxy of wire %s sends upstream', (wire) => {
  it('differ between two users with the same run id, and are the same for each user', async () => {
    const upstream = await serveUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.end(answerText(wire, 'Rivers'))
    })
    const urls = [await serveWire(wire, upstream), await serveWire(wire, upstream)]
    for (const { url } of urls)
      for (const user of USERS) await collect(framesOf(await postRun(wire, url, 'run-1', { 'x-user': user })))
    const named = upstream.seen.map(({ headers }) => headers['x-run-id'])
    expect(named.slice(0, 2)).toEqual(named.slice(2))
    expect(new Set(named).size).toBe(2)
    expect(JSON.stringify(upstream.seen)).not.toContain('run-1')
  })

  it('replace a run id that the page may forward', async () => {
    const upstream = await serveUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.end(answerText(wire, 'Rivers'))
    })
    const { url } = await serveWire(wire, upstream, { forwardHeaders: ['x-run-id'] })
    await collect(framesOf(await postRun(wire, url, 'run-1', { 'x-run-id': 'run-1' })))
    expect(upstream.seen[0]?.headers['x-run-id']).toMatch(/^[-0-9a-f]{36}$/)
  })
})

describe('the stream of an AG-UI run behind a proxy', () => {
  it.each(['run-1', 'Fluß "1" $& \\u0041'])('contains the run ids of the client: %s', async (run) => {
    let finish = (): void => {}
    const upstream = await serveUpstream((_req, res) => {
      echo(res, JSON.parse(upstream.seen[0]?.body ?? '{}') as Input)
      finish = () => res.end()
    })
    const { url } = await serveWire('ag-ui', upstream)
    const body = JSON.stringify({ threadId: 'chat-1', runId: run, parentRunId: 'run-0', messages: [] })
    const posted = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const first = framesOf(posted)
    const heard = [(await first.next()).value, (await first.next()).value]
    const rest = await followRun('ag-ui', url, run, { 'last-event-id': heard[1]?.id ?? '' })
    finish()
    const frames = [...heard, ...(await collect(framesOf(rest)))]
    const events = frames.map((frame) => JSON.parse(frame?.data ?? '{}') as Record<string, unknown>)
    const ids = { threadId: 'chat-1', runId: run, parentRunId: 'run-0' }
    expect(events[0]).toEqual({ type: 'RUN_STARTED', ...ids, input: { ...ids, messages: [] } })
    expect(events.at(-1)).toEqual({ type: 'RUN_FINISHED', ...ids })
    const { runId, parentRunId } = JSON.parse(upstream.seen[0]?.body ?? '{}') as Input
    expect([runId, parentRunId]).toEqual([
      upstream.seen[0]?.headers['x-run-id'],
      expect.stringMatching(/^[-0-9a-f]{36}$/),
    ])
    // What the server made of an id is its own, and so is what it says.
    expect(events[2]).toMatchObject({ messageId: `m-${runId}`, delta: `{"runId":"${runId}"}` })
    expect((await collect(framesOf(await followRun('ag-ui', url, run)))).map(({ data }) => data)).toEqual(
      frames.map((frame) => frame?.data),
    )
  })

  it('ends with the run id of the client when the client stops it', async () => {
    const upstream = await serveUpstream((_req, res) => {
      const { runId } = JSON.parse(upstream.seen[0]?.body ?? '{}') as Input
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write(`data: ${JSON.stringify({ type: 'RUN_STARTED', threadId: 'chat-1', runId })}\n\n`)
    })
    const { url } = await serveWire('ag-ui', upstream)
    const frames = framesOf(await postRun('ag-ui', url, 'run-1'))
    const first = (await frames.next()).value
    const stop = (user: string): Promise<Response> =>
      fetch(`${url}/stop`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-user': user },
        body: JSON.stringify({ threadId: 'chat-1', runId: 'run-1' }),
      })
    expect((await stop('bob')).status).toBe(404)
    // The upstream confirms nothing.
    expect((await stop('ann')).status).toBe(504)
    const events = [first, ...(await collect(frames))].map((frame) => JSON.parse(frame?.data ?? '{}') as unknown)
    expect(events).toEqual([
      { type: 'RUN_STARTED', threadId: 'chat-1', runId: 'run-1' },
      expect.objectContaining({ type: 'RUN_ERROR', code: 'cancel_unconfirmed' }),
    ])
  })
})
