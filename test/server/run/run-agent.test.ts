import { describe, expect, it } from 'vitest'
import { close, event, onStream, warning } from '../../../src/server/run/agent-output.ts'
import { allPackets, collect, framesOf, post, REQUEST_ID, textOf } from '../peer.ts'
import { serveAgent } from '../serve-agent.ts'

describe('an agent that answers', () => {
  it('is sent as numbered packets of one stream, closed with a reason', async () => {
    const { url } = await serveAgent(async function* (request) {
      yield `You asked: ${String(request.payload.payload['query'])}`
      yield ''
      yield ' Well.'
      yield event('THOUGHT_TRACE', { thought: 'bends' })
      yield warning('old_index', 'The index is a day old.')
      return 'answered'
    })
    const response = await post(url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('private, no-cache, no-transform')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('x-request-id')).toBe(REQUEST_ID)
    const packets = await allPackets(response)
    expect(packets.map(({ seq, op }) => `${seq} ${op}`)).toEqual([
      '1 DELTA',
      '2 DELTA',
      '3 EVENT',
      '4 ERROR',
      '5 CLOSE',
    ])
    expect(new Set(packets.map((packet) => packet.stream_id)).size).toBe(1)
    expect(textOf(packets)).toBe('You asked: Why do rivers meander? Well.')
    expect(packets[2]?.p).toMatchObject({
      type: 'THOUGHT_TRACE',
      data: { thought: 'bends' },
      timestamp: '2026-03-01T08:15:00.000Z',
    })
    expect(packets[3]?.p).toEqual({ code: 'old_index', message: 'The index is a day old.', severity: 'WARNING' })
    expect(packets[4]?.p).toBe('answered')
    expect(packets[0]?.t).toBe('2026-03-01T08:15:00Z')
  })

  it('frames each packet with its stream id, under the name stream.packet', async () => {
    const { url } = await serveAgent(async function* () {
      yield 'Rivers'
    })
    const frames = await collect(framesOf(await post(url)))
    for (const frame of frames) {
      expect(frame.event).toBe('stream.packet')
      expect(JSON.parse(frame.data)).toMatchObject({ stream_id: frame.id })
    }
    expect(frames).toHaveLength(2)
  })

  it('may speak on several streams, each numbered and closed on its own', async () => {
    const { url } = await serveAgent(async function* () {
      yield onStream('left', 'L1')
      yield onStream('right', 'R1')
      yield onStream('left', 'L2')
      yield onStream('left', close('enough'))
      yield onStream('right', event('MARKDOWN_BLOCK', { content: '**R**' }))
    })
    const packets = await allPackets(await post(url))
    const [left, right] = [...new Set(packets.map((packet) => packet.stream_id))]
    const of = (id: string | undefined) =>
      packets
        .filter((packet) => packet.stream_id === id)
        .map(({ seq, op, p }) => [seq, op, typeof p === 'string' ? p : ''])
    expect(of(left)).toEqual([
      [1, 'DELTA', 'L1'],
      [2, 'DELTA', 'L2'],
      [3, 'CLOSE', 'enough'],
    ])
    expect(of(right)).toEqual([
      [1, 'DELTA', 'R1'],
      [2, 'EVENT', ''],
      [3, 'CLOSE', 'finished'],
    ])
  })

  it('may write from callbacks and keeps the order of the calls', async () => {
    const { url } = await serveAgent(async (_request, run) => {
      await Promise.all(['a', 'b', 'c'].map((letter) => run.write(letter)))
    })
    const packets = await allPackets(await post(url))
    expect(textOf(packets)).toBe('abc')
    expect(packets.map((packet) => packet.seq)).toEqual([1, 2, 3, 4])
  })

  it('may decide first and stream then', async () => {
    const { url } = await serveAgent(async () =>
      (async function* () {
        yield 'late'
      })(),
    )
    expect(textOf(await allPackets(await post(url)))).toBe('late')
  })

  it('closes its stream even when it says nothing', async () => {
    const { url } = await serveAgent(async () => {})
    expect((await allPackets(await post(url))).map(({ seq, op, p }) => [seq, op, p])).toEqual([
      [1, 'CLOSE', 'finished'],
    ])
  })

  it('may answer with JSON, the same to everyone who asks', async () => {
    let runs = 0
    const { url } = await serveAgent(async () => ({ output: { length: 6650, run: ++runs }, metrics: { ms: 3 } }))
    const response = await post(url)
    expect(response.headers.get('content-type')).toBe('application/json')
    const body: unknown = await response.json()
    expect(body).toEqual({
      request_id: REQUEST_ID,
      created_at: '2026-03-01T08:15:00.000Z',
      output: { length: 6650, run: 1 },
      metrics: { ms: 3 },
    })
    expect(await (await post(url)).json()).toEqual(body)
    expect(runs).toBe(1)
  })
})
