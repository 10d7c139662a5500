import { describe, expect, it } from 'vitest'
import { CapClient } from '../../../../src/protocols/cap/client/cap-client.ts'
import type { CapClientOptions } from '../../../../src/protocols/cap/client/cap-client.ts'
import type { CapError } from '../../../../src/protocols/cap/errors.ts'
import { CapConnectionError, CapProtocolError, CapRuntimeError } from '../../../../src/protocols/cap/errors.ts'
import type { CapPacket } from '../../../../src/protocols/cap/read/usual-packet.ts'
import type { Agent } from '../../../../src/server/run/agent.ts'
import { createAgentHandler } from '../../../../src/server/handler/agent-handler.ts'
import { event, fatal, transient, warning } from '../../../../src/server/run/agent-output.ts'
import { backoff } from '../../../../src/base/backoff.ts'
import { collect, requestBody, serve } from '../../../server/peer.ts'
import type { Cut } from '../../../support/cutting-server.ts'
import { serveCut } from '../../../support/cutting-server.ts'
import type { ServiceRequestInput } from '../../../../src/protocols/cap/schema/request.ts'

const ANSWER = 'Kein Fluß fließt gerade: jede Böschung gibt ein wenig nach 🌊, und das Wasser schwingt hinüber.'
const NOW = backoff({ baseMs: 1, capMs: 1 })

const askFully = (): ServiceRequestInput => requestBody() as unknown as ServiceRequestInput // the peer's builder writes exactly this shape

async function* riverAgent() {
  yield event('THOUGHT_TRACE', { thought: 'Rivers' })
  for (const word of ANSWER.split(/(?<= )/)) yield word
  yield event('CITATION_BLOCK', {
    citations: [{ source_id: 'geo-4', uri: 'https://rivers.example', title: 'River bends', confidence: 0.8 }],
  })
}

async function serveAgent(agent: Agent, cuts: readonly Cut[] = [], options: Partial<CapClientOptions> = {}) {
  let runs = 0
  const handler = createAgentHandler({
    agent: (request, run) => {
      runs += 1
      return agent(request, run)
    },
    onError: () => {},
  })
  const server = await serveCut(handler, cuts)
  const client = new CapClient({ baseUrl: server.origin, apiKey: 'key', retry: NOW, ...options })
  return { ...server, client, runs: () => runs }
}

const joined = async (stream: AsyncIterable<string>): Promise<string> => (await collect(stream)).join('')

describe('chat()', () => {
  it('gives the text delta by delta and the conversation id immediately', async () => {
    const { client, seen } = await serveAgent(riverAgent)
    const stream = client.chat('Why do rivers meander?')
    expect(stream.conversationId).toMatch(/^[0-9a-f-]{36}$/)
    const deltas = await collect(stream)
    expect(deltas.length).toBeGreaterThan(10)
    expect(deltas.join('')).toBe(ANSWER)
    const next = client.chat('And then?', { conversationId: stream.conversationId })
    await collect(next)
    expect(JSON.parse(seen[1]?.body ?? '')).toMatchObject({
      context: { session_id: stream.conversationId },
      payload: { payload: { query: 'And then?' } },
    })
    expect(JSON.parse(seen[1]?.body ?? '').request_id).not.toBe(JSON.parse(seen[0]?.body ?? '').request_id)
  })

  it('sends what CAP asks for', async () => {
    const { client, seen } = await serveAgent(riverAgent)
    await collect(client.chat('Hello'))
    const { headers, body } = seen[0] ?? { headers: {}, body: '{}' }
    expect(headers).toMatchObject({
      authorization: 'Bearer key',
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
    })
    expect(headers['x-request-id']).toBe(JSON.parse(body).request_id)
    expect(headers['last-event-id']).toBeUndefined()
  })

  it('asks for the key again at every attempt', async () => {
    let calls = 0
    const { client, seen } = await serveAgent(riverAgent, [{ afterBytes: 400, how: 'reset' }], {
      apiKey: () => Promise.resolve(`key-${(calls += 1)}`),
    })
    expect(await joined(client.chat('Hello'))).toBe(ANSWER)
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer key-1', 'Bearer key-2'])
  })

  it('throws FATAL errors typed, after the text that came before', async () => {
    const { client } = await serveAgent(async function* () {
      yield 'Half'
      yield fatal('auth_failed', 'Sign in again.')
    })
    const got: string[] = []
    const reading = (async () => {
      for await (const delta of client.chat('Hello')) got.push(delta)
    })()
    await expect(reading).rejects.toMatchObject({
      name: 'CapRuntimeError',
      kind: 'runtime',
      code: 'agent_error',
      agentCode: 'auth_failed',
      severity: 'FATAL',
    })
    expect(got).toEqual(['Half'])
  })

  it('passes over warnings', async () => {
    const { client } = await serveAgent(async function* () {
      yield 'A'
      yield warning('stale', 'Old data.')
      yield 'B'
    })
    expect(await joined(client.chat('Hello'))).toBe('AB')
  })

  it('refuses a conversation id that CAP cannot carry', async () => {
    const client = new CapClient({ baseUrl: 'https://agent.example' })
    await expect(collect(client.chat('Hello', { conversationId: 'thread-1' }))).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })
})

describe('a connection that is cut', () => {
  it('heals all over the answer, by reset and by clean end, with one run and one request id', async () => {
    const whole = await serveAgent(riverAgent)
    await collect(whole.client.chat('Hello'))
    // Long enough to pass the last packet whatever the ids are.
    const length = 4000
    for (let afterBytes = 0; afterBytes < length; afterBytes += 331) {
      for (const how of ['reset', 'end'] as const) {
        const { client, seen, runs } = await serveAgent(riverAgent, [{ afterBytes, how, pieces: 61 }])
        expect(await joined(client.chat('Hello')), `cut by ${how} after ${afterBytes}`).toBe(ANSWER)
        expect(runs()).toBe(1)
        expect(new Set(seen.map(({ headers }) => headers['x-request-id'])).size).toBe(1)
        expect(new Set(seen.map(({ body }) => body)).size).toBe(1)
      }
    }
  })

  it('resumes with the last event id and receives every packet once', async () => {
    const { client, seen } = await serveAgent(riverAgent, [
      { afterBytes: 900, how: 'reset' },
      { afterBytes: 1500, how: 'end' },
    ])
    const packets: CapPacket[] = await collect(client.assist(askFully()))
    expect(packets.map(({ seq }) => seq)).toEqual(packets.map((_, index) => index + 1))
    expect(packets.at(-1)?.op).toBe('CLOSE')
    expect(seen[1]?.headers['last-event-id']).toBe(packets[0]?.stream_id)
    expect(seen).toHaveLength(3)
  })

  it('gives up with CapConnectionError when no attempt brings anything new', async () => {
    const { client, seen } = await serveAgent(
      riverAgent,
      Array.from({ length: 9 }, () => ({ afterBytes: 700, how: 'end' as const })),
    )
    const got: string[] = []
    const reading = (async () => {
      for await (const delta of client.chat('Hello')) got.push(delta)
    })()
    await expect(reading).rejects.toSatisfy(
      (error) => error instanceof CapConnectionError && error.code === 'truncated',
    )
    expect(ANSWER.startsWith(got.join(''))).toBe(true)
    expect(got.length).toBeGreaterThan(0)
    expect(seen).toHaveLength(4)
  })

  it('gives up on a server that is not there', async () => {
    const client = new CapClient({ baseUrl: 'http://127.0.0.1:1', retry: NOW })
    await expect(collect(client.chat('Hello'))).rejects.toBeInstanceOf(CapConnectionError)
  })

  it('reconnects after a TRANSIENT error and ends with it when nothing follows', async () => {
    const { client } = await serveAgent(async function* () {
      yield 'A'
      yield transient('index_slow', 'The index is slow.')
    })
    const packets: CapPacket[] = []
    const reading = (async () => {
      for await (const packet of client.assist(askFully())) packets.push(packet)
    })()
    await expect(reading).rejects.toMatchObject({ agentCode: 'index_slow', severity: 'TRANSIENT' })
    expect(packets.map(({ op }) => op)).toEqual(['DELTA', 'ERROR', 'CLOSE'])
  })
})

describe('assist()', () => {
  it('refuses what is no ServiceRequest before sending anything', async () => {
    const { client, seen } = await serveAgent(riverAgent)
    const wrong = { ...askFully(), payload: { payload: {} } } as unknown as ServiceRequestInput // wrong on purpose
    expect(() => client.assist(wrong)).toThrow(/payload\.session_id/)
    expect(() => client.assist(wrong)).toThrow(CapProtocolError)
    expect(seen).toEqual([])
  })

  it('takes a JSON answer by the same call', async () => {
    const { client } = await serveAgent(async () => ({
      output: { text: 'All at once.', pages: 3 },
      metrics: { tokens: 12 },
    }))
    const stream = client.assist(askFully())
    expect(await collect(stream)).toEqual([])
    expect(stream.response).toMatchObject({ output: { text: 'All at once.', pages: 3 }, metrics: { tokens: 12 } })
    expect(await joined(client.chat('Hello'))).toBe('All at once.')
  })

  it('ends quietly when aborted, before and in mid-answer', async () => {
    const { client, seen } = await serveAgent(riverAgent)
    expect(await collect(client.assist(askFully(), { signal: AbortSignal.abort() }))).toEqual([])
    expect(seen).toEqual([])
    const abort = new AbortController()
    const got: CapPacket[] = []
    for await (const packet of client.assist(askFully(), { signal: abort.signal })) {
      got.push(packet)
      abort.abort()
    }
    expect(got.length).toBeGreaterThan(0)
    expect(got.at(-1)?.op).not.toBe('CLOSE')
  })
})

describe('answers that are no stream of packets', () => {
  const answering = async (
    status: number,
    type: string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<unknown> => {
    const origin = await serve((_, response) => {
      response.writeHead(status, { 'content-type': type, ...headers })
      response.end(body)
    })
    const client = new CapClient({ baseUrl: origin, retry: backoff({ maxAttempts: 0 }) })
    return collect(client.chat('Hello')).then(
      () => undefined,
      (error: unknown) => error,
    )
  }
  const html = '<!doctype html><h1>Oops</h1><script>alert(1)</script>'
  const frame = (packet: object): string => `data: ${JSON.stringify(packet)}\n\n`
  const stream = 'text/event-stream'

  it('become typed errors, never their HTML', async () => {
    const failed = await answering(500, 'text/html', html)
    expect(failed).toBeInstanceOf(CapRuntimeError)
    expect(failed).toMatchObject({ code: 'http_error', status: 500, severity: 'TRANSIENT' })
    expect((failed as CapError).message).not.toContain('<') // just checked to be one
    expect(await answering(401, 'text/html', html)).toMatchObject({
      code: 'unauthorized',
      status: 401,
      severity: 'FATAL',
    })
    expect(await answering(403, 'text/plain', 'no')).toMatchObject({ code: 'forbidden', severity: 'FATAL' })
    expect(await answering(404, 'text/plain', 'no')).toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^(?:GET|POST) \/\S+ returned 404\. Check baseUrl and path\.$/),
    })
    expect(await answering(200, 'text/html', html)).toMatchObject({ kind: 'protocol', code: 'unexpected_content_type' })
    expect(await answering(200, 'application/json', '{"nope":1}')).toMatchObject({
      kind: 'protocol',
      code: 'invalid_response',
    })
    expect(await answering(200, 'application/json', '<html>')).toMatchObject({ kind: 'protocol', code: 'invalid_json' })
  })

  it('say how long to wait and what the agent called the error', async () => {
    const error = {
      code: 'rate_limit_exceeded',
      message: 'Too many.',
      severity: 'TRANSIENT',
      details: { retry_after: 7 },
    }
    expect(await answering(429, 'application/json', JSON.stringify(error))).toMatchObject({
      code: 'rate_limited',
      agentCode: 'rate_limit_exceeded',
      message: 'Too many.',
      retryAfterMs: 7000,
    })
    expect(await answering(503, 'text/plain', '', { 'retry-after': '3' })).toMatchObject({ retryAfterMs: 3000 })
    const date = new Date('2026-03-01T08:15:00Z')
    const later = { date: date.toUTCString(), 'retry-after': new Date(date.getTime() + 90_000).toUTCString() }
    expect(await answering(503, 'text/plain', '', later)).toMatchObject({ retryAfterMs: 90_000 })
    expect(await answering(503, 'text/plain', '', { 'retry-after': '999999999' })).toMatchObject({
      retryAfterMs: 3_600_000,
    })
  })

  it('name what was wrong with a packet', async () => {
    expect(await answering(200, stream, 'data: {nope\n\n')).toMatchObject({ kind: 'protocol', code: 'invalid_json' })
    expect(
      await answering(200, stream, frame({ op: 'SHOUT', stream_id: 'x', seq: 1, t: '2026-03-01', p: '' })),
    ).toMatchObject({ code: 'unknown_op' })
    const unstructured = frame({
      op: 'ERROR',
      stream_id: '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90',
      seq: 1,
      t: '2026-03-01T00:00:00Z',
      p: 'Rate limit',
    })
    expect(await answering(200, stream, unstructured)).toMatchObject({
      code: 'invalid_packet',
      details: { raw: expect.stringContaining('Rate limit') },
    })
  })

  it('are read in the older forms of the wire too', async () => {
    const older = [
      frame({ event: 'token', data: 'A' }) + frame({ event: 'token', data: 'B' }),
      frame({ op: 'delta', p: 'A' }) + frame({ op: 'delta', p: 'B' }) + frame({ op: 'close', p: null }),
      frame({ op: 'delta', p: 'A' }) + frame({ op: 'event' }) + frame({ op: 'delta', p: 'B' }) + frame({ op: 'close' }),
    ]
    for (const body of older) {
      const origin = await serve((_, response) => {
        response.writeHead(200, { 'content-type': stream })
        response.end(body)
      })
      expect(await joined(new CapClient({ baseUrl: origin }).chat('Hello'))).toBe('AB')
    }
  })

  it('end as incomplete, and are not asked for again, when an unnumbered stream has no close', async () => {
    let requests = 0
    const origin = await serve((_, response) => {
      requests += 1
      response.writeHead(200, { 'content-type': stream })
      response.end(frame({ op: 'delta', p: 'A' }))
    })
    await expect(collect(new CapClient({ baseUrl: origin, retry: NOW }).chat('Hello'))).rejects.toMatchObject({
      code: 'truncated',
      severity: 'FATAL',
    })
    expect(requests).toBe(1)
  })
})

describe('a key that expires', () => {
  function guarded(valid: () => string) {
    const seen: string[] = []
    const handler = createAgentHandler({ agent: riverAgent })
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      const given = new Headers(init.headers).get('authorization') ?? ''
      seen.push(given)
      return given === `Bearer ${valid()}` ? handler(new Request(url, init)) : new Response('no', { status: 401 })
    }
    return { fetch, seen }
  }

  it('is renewed once for all streams that were refused, and each continues', async () => {
    const { fetch, seen } = guarded(() => 'new')
    const asked: (string | undefined)[] = []
    let key = 'old'
    const apiKey = async ({ rejected }: { readonly rejected?: string | undefined }): Promise<string> => {
      asked.push(rejected)
      if (rejected !== undefined) key = 'new'
      return key
    }
    const client = new CapClient({ baseUrl: 'https://a.example', apiKey, fetch, retry: NOW })
    const texts = await Promise.all([1, 2, 3].map(() => joined(client.chat('Hello'))))
    expect(texts).toEqual([ANSWER, ANSWER, ANSWER])
    expect(asked.filter((rejected) => rejected !== undefined)).toEqual(['old'])
    expect(seen.filter((given) => given === 'Bearer new')).toHaveLength(3)
  })

  it('is FATAL when the new one is refused too, or is the same, or cannot be renewed', async () => {
    const { fetch, seen } = guarded(() => 'nobody has it')
    let calls = 0
    for (const apiKey of [(): string => `key-${(calls += 1)}`, (): string => 'same', 'fixed']) {
      const client = new CapClient({ baseUrl: 'https://a.example', apiKey, fetch, retry: NOW })
      await expect(collect(client.chat('Hello'))).rejects.toMatchObject({ code: 'unauthorized', severity: 'FATAL' })
    }
    expect(seen).toHaveLength(4)
  })
})

describe('a key that could not be renewed', () => {
  it.each([
    ['the key server was down', () => Promise.reject(new Error('down'))],
    ['it gave the old key', () => Promise.resolve('old')],
  ])('is asked for again by the next call, when %s', async (_, firstRenewal) => {
    const handler = createAgentHandler({ agent: riverAgent })
    const fetch = async (url: string, init: RequestInit): Promise<Response> =>
      new Headers(init.headers).get('authorization') === 'Bearer new'
        ? handler(new Request(url, init))
        : new Response('no', { status: 401 })
    let renewals = 0
    const apiKey = ({ rejected }: { readonly rejected?: string | undefined }): string | Promise<string> => {
      if (rejected === undefined) return 'old'
      renewals += 1
      return renewals === 1 ? firstRenewal() : 'new'
    }
    const client = new CapClient({ baseUrl: 'https://a.example', apiKey, fetch, retry: NOW })
    await expect(collect(client.chat('Hello'))).rejects.toBeInstanceOf(CapRuntimeError)
    expect(await joined(client.chat('Hello'))).toBe(ANSWER)
  })
})

describe('tolerant mode', () => {
  it('leaves out what it cannot read and continues', async () => {
    const id = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
    const packet = (seq: number, op: string, p: unknown): string =>
      `data: ${JSON.stringify({ stream_id: id, seq, op, t: '2026-03-01T00:00:00Z', p })}\n\n`
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        packet(1, 'DELTA', 'A') + 'data: {nope\n\n' + packet(2, 'DELTA', 'B') + packet(3, 'CLOSE', 'finished'),
      )
    })
    expect(await joined(new CapClient({ baseUrl: origin, mode: 'tolerant' }).chat('Hello'))).toBe('AB')
    await expect(collect(new CapClient({ baseUrl: origin }).chat('Hello'))).rejects.toMatchObject({
      code: 'invalid_json',
    })
  })
})

describe('health()', () => {
  it('tells how the agent is', async () => {
    const { client } = await serveAgent(riverAgent)
    expect(await client.health()).toMatchObject({
      status: 'ok',
      version: expect.any(String),
      uptime_seconds: expect.any(Number),
    })
  })

  it('types everything else', async () => {
    await expect(new CapClient({ baseUrl: 'http://127.0.0.1:1' }).health()).rejects.toBeInstanceOf(CapConnectionError)
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"status":"fine"}')
    })
    await expect(new CapClient({ baseUrl: origin }).health()).rejects.toMatchObject({ code: 'invalid_response' })
  })
})

describe('bad options', () => {
  it('are refused where they are given, or before a request goes out', async () => {
    expect(() => new CapClient({ baseUrl: 'agent.example' })).toThrow(/neither an absolute URL nor a path/)
    expect(() => new CapClient({ baseUrl: 'https://a.example', timeoutMs: 0 })).toThrow(/timeoutMs/)
    expect(() => new CapClient({ baseUrl: 'https://a.example', maxRetries: Number.NaN })).toThrow(/maxRetries/)
    let requests = 0
    const fetch = (): Promise<Response> => {
      requests += 1
      return Promise.reject(new Error('no'))
    }
    const client = new CapClient({ baseUrl: 'https://a.example', apiKey: 'key\r\nX-Admin: 1', fetch })
    await expect(collect(client.chat('Hello'))).rejects.toMatchObject({ code: 'invalid_config' })
    expect(requests).toBe(0)
  })

  it('choose the path by the base URL', async () => {
    const urls: string[] = []
    const fetch = (url: string): Promise<Response> => {
      urls.push(url)
      return Promise.resolve(new Response('', { status: 404 }))
    }
    for (const options of [
      { baseUrl: 'https://a.example/' },
      { baseUrl: 'https://a.example/api/' },
      { baseUrl: '/cap' },
      { baseUrl: 'https://a.example', path: '/assist' },
    ]) {
      await collect(new CapClient({ ...options, fetch }).chat('Hello')).catch(() => {})
    }
    expect(urls).toEqual([
      'https://a.example/v1/assist',
      'https://a.example/api/assist',
      '/cap/assist',
      'https://a.example/assist',
    ])
  })
})

describe('limits', () => {
  const packets = (count: number, text: string) => async (): Promise<Response> => {
    const frames = Array.from(
      { length: count },
      (_, at) =>
        `data: ${JSON.stringify({ stream_id: '11111111-1111-4111-8111-111111111111', seq: at + 1, op: 'DELTA', t: '2026-03-01T08:15:00Z', p: text })}\n\n`,
    )
    return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } })
  }

  it('count the bytes of packets as UTF-8, and end the run with the text before it', async () => {
    const size = new TextEncoder().encode(
      JSON.stringify({
        stream_id: '11111111-1111-4111-8111-111111111111',
        seq: 1,
        op: 'DELTA',
        t: '2026-03-01T08:15:00Z',
        p: 'ßß',
      }),
    ).byteLength
    const texts: string[] = []
    const client = new CapClient({ baseUrl: 'https://a.example', fetch: packets(5, 'ßß'), limits: { bytes: 3 * size } })
    const read = async (): Promise<void> => {
      for await (const text of client.chat('Hello')) texts.push(text)
    }
    await expect(read()).rejects.toMatchObject({
      name: 'CapProtocolError',
      code: 'response_too_large',
      severity: 'FATAL',
      details: { limit: 'bytes', maximum: 3 * size },
    })
    expect(texts).toEqual(['ßß', 'ßß', 'ßß'])
  })

  it('have to be numbers of at least 1', () => {
    expect(() => new CapClient({ baseUrl: 'https://a.example', limits: { parts: 0 } })).toThrow(/limits\.parts/)
    expect(() => new CapClient({ baseUrl: 'https://a.example', limits: { bytes: Number.NaN } })).toThrow(
      /limits\.bytes/,
    )
    expect(
      new CapClient({ baseUrl: 'https://a.example', limits: { bytes: Number.POSITIVE_INFINITY, parts: undefined } })
        .limits,
    ).toEqual({ bytes: Number.POSITIVE_INFINITY, parts: undefined })
  })
})
