import { describe, expect, it } from 'vitest'
import type { CapClientOptions } from '../../../../src/protocols/cap/client/cap-client.ts'
import { CapClient } from '../../../../src/protocols/cap/client/cap-client.ts'
import { backoff } from '../../../../src/base/backoff.ts'
import { collect } from '../../../server/peer.ts'

// Rules of RFC 004, RFC 005 and of our page on CAP, each on the smallest answer that shows it.

const STREAM = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
const AGENT = '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c001'
const AT_ONCE = backoff({ baseMs: 1, capMs: 1 })

/** A frame without the `id:` that a server may leave out. */
const packet = (seq: number, op: string, p: unknown): string =>
  `data: ${JSON.stringify({ stream_id: STREAM, seq, op, t: '2026-03-01T08:15:00Z', p })}\n\n`
const error = (severity: string) => ({ code: 'index_down', message: 'The index is down.', severity })

interface Sent {
  readonly headers: Headers
  readonly body: string
}

/** A client and what it sends; the n-th request gets the n-th answer, and the last one from then on. */
function clientOf(
  answers: readonly (string | ReadableStream<Uint8Array> | Error)[],
  options: Partial<CapClientOptions> = {},
  contentType = 'text/event-stream',
) {
  const sent: Sent[] = []
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    // This client writes its bodies as text.
    sent.push({ headers: new Headers(init.headers), body: init.body as string })
    const answer = answers[Math.min(sent.length, answers.length) - 1] ?? ''
    if (answer instanceof Error) throw answer
    return new Response(answer, { headers: { 'content-type': contentType } })
  }
  return { client: new CapClient({ baseUrl: 'https://agent.example', fetch, retry: AT_ONCE, ...options }), sent }
}

const whole = packet(1, 'DELTA', 'Well.') + packet(2, 'CLOSE', 'finished')

describe('errors in packets', () => {
  it('of severity FATAL are not retried, though no CLOSE follows', async () => {
    const { client, sent } = clientOf([
      packet(1, 'DELTA', 'So') + packet(2, 'ERROR', error('FATAL')),
      packet(3, 'DELTA', ' far.') + packet(4, 'CLOSE', 'finished'),
    ])
    await expect(collect(client.chat('Why?'))).rejects.toMatchObject({
      code: 'agent_error',
      agentCode: 'index_down',
      severity: 'FATAL',
    })
    expect(sent).toHaveLength(1)
  })

  it('of severity TRANSIENT are not progress: they share the attempts of dropped connections', async () => {
    const errors = [1, 2, 3, 4, 5].map((seq) => packet(seq, 'ERROR', error('TRANSIENT')))
    const { client, sent } = clientOf([...errors, packet(6, 'CLOSE', 'finished')])
    await expect(collect(client.chat('Why?'))).rejects.toMatchObject({ agentCode: 'index_down', severity: 'TRANSIENT' })
    expect(sent).toHaveLength(4)
  })

  it.each([
    ['no message', {}],
    ['a message that is no text', { message: 5 }],
  ])('with %s are no StreamErrors: the packet breaks the protocol', async (_what, change) => {
    const { message: _message, ...rest } = error('WARNING')
    const { client } = clientOf([packet(1, 'ERROR', { ...rest, ...change }) + packet(2, 'CLOSE', 'finished')])
    await expect(collect(client.chat('Why?'))).rejects.toMatchObject({
      name: 'CapProtocolError',
      code: 'invalid_packet',
    })
  })
})

describe('attempts', () => {
  it('are one and three retries, unless an option says otherwise', async () => {
    const { client, sent } = clientOf([new TypeError('no network')], {
      retry: undefined,
      environment: { random: () => 0 },
    })
    await expect(collect(client.chat('Why?'))).rejects.toMatchObject({ name: 'CapConnectionError' })
    expect(sent).toHaveLength(4)
  })

  it('after the first carry the id of the stream, where the server gave no other', async () => {
    const { client, sent } = clientOf([packet(1, 'DELTA', 'Well.'), packet(2, 'CLOSE', 'finished')])
    await collect(client.chat('Why?'))
    expect(sent.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, STREAM])
  })

  it('after the first carry the last id that the server gave', async () => {
    const { client, sent } = clientOf([`id: 7\n${packet(1, 'DELTA', 'Well.')}`, packet(2, 'CLOSE', 'finished')])
    await collect(client.chat('Why?'))
    expect(sent.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '7'])
  })

  it('keep that id when a connection brings a heartbeat or the beginning of a frame after it, or alone', async () => {
    /** Each text is a separate chunk. */
    const inChunks = (...texts: readonly string[]): ReadableStream<Uint8Array> => {
      const left = texts.map((text) => new TextEncoder().encode(text))
      return new ReadableStream(
        {
          pull(controller) {
            const chunk = left.shift()
            if (chunk === undefined) controller.close()
            else controller.enqueue(chunk)
          },
        },
        { highWaterMark: 0 },
      )
    }
    const begun = packet(2, 'DELTA', 'So').slice(0, 20)
    const { client, sent } = clientOf([
      inChunks(`id: 7\n${packet(1, 'DELTA', 'Well.')}`, ': heartbeat\n\n', begun),
      inChunks(': heartbeat\n\n', begun),
      packet(2, 'CLOSE', 'finished'),
    ])
    await collect(client.chat('Why?'))
    expect(sent.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '7', '7'])
  })
})

describe('a conversation', () => {
  it('is a new one for each chat() that names none', async () => {
    const { client } = clientOf([whole])
    const ids = [1, 2, 3].map(() => client.chat('Why?').conversationId)
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('is the session of the request, in its context and in its payload', async () => {
    const { client, sent } = clientOf([whole])
    const stream = client.chat('Why?')
    await collect(stream)
    const { context, payload } = JSON.parse(sent[0]?.body ?? '{}')
    expect([context.session_id, payload.session_id]).toEqual([stream.conversationId, stream.conversationId])
  })
})

describe('a JSON answer', () => {
  const answering = (requestIdOf: (own: string) => string, options: Partial<CapClientOptions> = {}) => {
    const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
      const own = new Headers(init.headers).get('x-request-id') ?? ''
      return Response.json({
        request_id: requestIdOf(own),
        created_at: '2026-03-01T08:15:00Z',
        output: { text: 'All at once.' },
      })
    }
    return new CapClient({ baseUrl: 'https://agent.example', fetch, retry: AT_ONCE, ...options }).chat('Why?')
  }

  it('has to name the request that was asked, however it is written', async () => {
    expect(await collect(answering((own) => own))).toEqual(['All at once.'])
    expect(await collect(answering((own) => `{${own.toUpperCase()}}`))).toEqual(['All at once.'])
  })

  it.each(['strict', 'tolerant'] as const)(
    'that names another request is refused in %s mode: it may be the answer to somebody else',
    async (mode) => {
      await expect(collect(answering(() => STREAM, { mode }))).rejects.toMatchObject({
        name: 'CapProtocolError',
        code: 'invalid_response',
        severity: 'FATAL',
        message: expect.stringMatching(/another request/),
        details: { raw: expect.stringContaining(STREAM) },
      })
    },
  )
})

describe('the health of an agent', () => {
  const health = { status: 'ok', agent_id: AGENT, version: '1.0.0', uptime_seconds: 3600.5 }
  const answering = (change: object) =>
    clientOf([JSON.stringify({ ...health, ...change })], {}, 'application/json').client.health()

  it.each(['ok', 'degraded', 'maintenance'])('may be %s', async (status) => {
    expect(await answering({ status })).toEqual({ ...health, status })
  })

  it.each(['healthy', 'OK', '', null, 200])('cannot be %j', async (status) => {
    await expect(answering({ status })).rejects.toMatchObject({ name: 'CapProtocolError', code: 'invalid_response' })
  })
})
