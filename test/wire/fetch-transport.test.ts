import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { AgentError } from '../../src/base/agent-error.ts'
import { fetchTransport } from '../../src/wire/fetch-transport.ts'
import type { SseFrame, TransportAnswer } from '../../src/wire/transport.ts'
import { serve } from '../server/peer.ts'

async function send(listener: RequestListener, signal = new AbortController().signal, maxFrameBytes?: number): Promise<TransportAnswer> {
  const origin = await serve(listener)
  return fetchTransport({ maxFrameBytes }).send({ url: `${origin}/assist`, method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}', signal })
}

async function framesOf(answer: TransportAnswer): Promise<{ frames: SseFrame[]; error: unknown }> {
  if (answer.kind !== 'events') throw new Error(`expected events, got ${answer.status} ${answer.contentType}`)
  const frames: SseFrame[] = []
  try {
    for await (const batch of answer.batches) frames.push(...batch)
    return { frames, error: undefined }
  } catch (error) {
    return { frames, error }
  }
}

const stream = { 'content-type': 'text/event-stream; charset=utf-8' }

describe('the fetch transport', () => {
  it('hands on whole frames, one array per chunk, however the server writes', async () => {
    const answer = await send((_, response) => {
      response.writeHead(200, stream)
      const body = Buffer.from('id: s1\r\ndata: {"p":"Flüsse"}\r\n\r\n: ping\r\n\r\ndata: 2\r\n\r\n')
      let at = 0
      const write = (): void => {
        if (at === body.length) return void response.end()
        response.write(body.subarray(at, (at += 1)), () => setImmediate(write))
      }
      write()
    })
    expect(await framesOf(answer)).toEqual({ frames: [{ event: 'message', data: '{"p":"Flüsse"}', id: 's1' }, { event: 'message', data: '2', id: 's1' }], error: undefined })
  })

  it('gives what was whole and then a typed error when the socket is cut', async () => {
    const answer = await send((_, response) => {
      response.writeHead(200, stream)
      response.write('data: whole\n\ndata: ha', () => setTimeout(() => response.destroy(), 20))
    })
    const { frames, error } = await framesOf(answer)
    expect(frames.map(({ data }) => data)).toEqual(['whole'])
    expect(error).toBeInstanceOf(AgentError)
    expect(error).toMatchObject({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT' })
  })

  it('types a refused connection', async () => {
    const refused = fetchTransport().send({ url: 'http://127.0.0.1:1/assist', method: 'POST', headers: {}, body: '', signal: new AbortController().signal })
    await expect(refused).rejects.toMatchObject({ kind: 'connection', code: 'network_error' })
  })

  it('stops reading at a frame over the limit', async () => {
    const answer = await send(
      (_, response) => {
        response.writeHead(200, stream)
        response.end(`data: ok\n\ndata: ${'x'.repeat(5000)}\n\n`)
      },
      undefined,
      1000,
    )
    const { frames, error } = await framesOf(answer)
    expect(frames).toHaveLength(1)
    expect(error).toMatchObject({ kind: 'protocol', code: 'frame_too_large', details: { maxFrameBytes: 1000 } })
  })

  it('treats an error status as an error whatever its content type', async () => {
    const answer = await send((_, response) => {
      response.writeHead(500, stream)
      response.end('data: not for you\n\n')
    })
    expect(answer).toMatchObject({ kind: 'body', status: 500, contentType: 'text/event-stream' })
  })

  it('bounds a body, by error or by cutting', async () => {
    const listener: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('x'.repeat(5000))
    }
    const first = await send(listener)
    if (first.kind !== 'body') throw new Error('expected a body')
    await expect(first.text({ maxBytes: 1000 })).rejects.toMatchObject({ code: 'response_too_large' })
    const second = await send(listener)
    if (second.kind !== 'body') throw new Error('expected a body')
    expect(await second.text({ maxBytes: 1000, truncate: true })).toHaveLength(1000)
  })

  it('lets go of the socket when the reader leaves', async () => {
    let left: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      left = resolve
    })
    const answer = await send((_, response) => {
      response.on('close', () => left())
      response.writeHead(200, stream)
      response.write('data: 1\n\n')
    })
    if (answer.kind !== 'events') throw new Error('expected events')
    for await (const frames of answer.batches) if (frames.length > 0) break
    await gone
  })
})
