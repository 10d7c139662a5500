import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import { createAgentProxy } from '../../../src/server/proxy/agent-proxy.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { collect, post, postRequest } from '../peer.ts'
import { nowhere, SECRET, serveProxy, serveUpstream, type RawUpstream } from '../serve-proxy.ts'

/** Everything of the upstream that nobody in front of the proxy may ever see. */
const INTERNAL = 'internal_marker_77'

let printed: unknown[] = []

beforeEach(() => {
  printed = []
  for (const method of ['error', 'warn', 'log', 'info', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...words: unknown[]) => void printed.push(...words))
  }
})

afterEach(() => {
  vi.restoreAllMocks()
})

/** An error as a logger that goes into every corner would write it. */
function inFull(value: unknown, depth = 0): string {
  if (value instanceof Error && depth < 6) {
    const own = Object.getOwnPropertyNames(value).map(
      (name) => `${name}=${inFull(Reflect.get(value, name), depth + 1)}`,
    )
    return `${String(value)} ${own.join(' ')}`
  }
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

async function everythingOf(response: Response): Promise<string> {
  const text = await response.text().catch((error: unknown) => inFull(error))
  return `${response.status} ${response.statusText} ${response.url} ${JSON.stringify([...response.headers])} ${text}`
}

/** Answers of an upstream that gives away all it knows. */
const ANSWERS: readonly (readonly [
  name: string,
  status: number,
  code: string,
  headers: Record<string, string>,
  body: string,
  as: number,
])[] = [
  [
    '401 of the secret',
    401,
    'upstream_unauthorized',
    { 'www-authenticate': `Bearer realm="${INTERNAL}"` },
    `{"code":"${SECRET}","message":"${SECRET}"}`,
    502,
  ],
  ['403', 403, 'forbidden', {}, `{"code":"${SECRET}"}`, 403],
  ['404', 404, 'not_found', {}, SECRET, 404],
  ['400', 400, 'invalid_request', {}, `{"detail":"${SECRET}"}`, 400],
  ['409', 409, 'log_expired', {}, SECRET, 409],
  ['410', 410, 'log_expired', {}, SECRET, 409],
  ['413', 413, 'request_too_large', {}, SECRET, 413],
  ['418', 418, 'upstream_refused', {}, SECRET, 502],
  ['422', 422, 'invalid_request', {}, SECRET, 400],
  ['429', 429, 'rate_limited', { 'retry-after': '7', 'x-quota': INTERNAL }, SECRET, 429],
  ['500', 500, 'upstream_failed', { 'set-cookie': `a=${INTERNAL}`, server: INTERNAL }, `Traceback ${SECRET}`, 502],
  ['501', 501, 'upstream_refused', {}, SECRET, 501],
  ['505', 505, 'upstream_refused', {}, SECRET, 501],
  ['522', 522, 'upstream_failed', {}, SECRET, 502],
  ['503', 503, 'upstream_unavailable', {}, `{"details":{"retry_after":3},"message":"${SECRET}"}`, 503],
  ['a redirect', 307, 'upstream_invalid', { location: `http://${INTERNAL}.example/${SECRET}` }, '', 502],
  ['a page', 200, 'upstream_invalid', { 'content-type': 'text/html' }, `<html>${SECRET}`, 502],
  [
    'JSON that is no answer',
    200,
    'upstream_invalid',
    { 'content-type': 'application/json' },
    `{"key":"${SECRET}"}`,
    502,
  ],
  [
    'the answer to another request',
    200,
    'upstream_invalid',
    { 'content-type': 'application/json' },
    `{"request_id":"5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90","created_at":"2026-03-01T08:15:00Z","output":{"text":"${SECRET}"}}`,
    502,
  ],
  ['JSON that is broken', 200, 'upstream_invalid', { 'content-type': 'application/json' }, `{"key":"${SECRET}`, 502],
]

async function upstreamThat(status: number, headers: Record<string, string>, body: string): Promise<RawUpstream> {
  return serveUpstream((_req, res) => {
    res.writeHead(status, { 'content-type': 'application/json', 'x-internal': INTERNAL, ...headers }).end(body)
  })
}

describe.each([
  ['without a log', undefined],
  ['with a log', memoryEventLog()],
])('a proxy %s', (_name, log) => {
  it.each(ANSWERS)(
    'makes an error of CAP out of %s, and gives nothing away',
    async (_answer, status, code, headers, body, as) => {
      const upstream = await upstreamThat(status, headers, body)
      const errors: unknown[] = []
      for (const onError of [undefined, (error: unknown) => errors.push(error)]) {
        const { url } = await serveProxy(upstream.origin, { log, onError })
        const requestId = crypto.randomUUID()
        const response = await post(url, { requestId })
        expect(response.status).toBe(as)
        expect(response.headers.get('content-type')).toBe('application/json')
        expect(await response.clone().json()).toMatchObject({ code, severity: 'FATAL' })
        expect(response.headers.get('retry-after')).toBe(status === 429 ? '7' : status === 503 ? '3' : null)
        const shown = await everythingOf(response)
        // Asked again, it is asked again: no failure is kept.
        await (await post(url, { requestId })).text()
        const seen = `${shown} ${printed.map((each) => inFull(each)).join(' ')} ${errors.map((each) => inFull(each)).join(' ')}`
        for (const secret of [SECRET, INTERNAL, new URL(upstream.origin).host]) expect(seen).not.toContain(secret)
      }
      expect(upstream.seen).toHaveLength(4)
      expect(printed).toHaveLength(2)
      expect(errors).toHaveLength(2)
    },
  )

  it('says as little of an upstream that cannot be reached, or breaks off', async () => {
    const broken = await serveUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write(SECRET)
      setTimeout(() => res.destroy(), 10)
    })
    for (const upstream of [await nowhere(), broken.origin]) {
      const errors: unknown[] = []
      for (const onError of [undefined, (error: unknown) => errors.push(error)]) {
        const { url } = await serveProxy(upstream, { log, onError })
        const response = await post(url, { requestId: crypto.randomUUID() })
        expect([response.status, (await response.clone().json()) as unknown]).toMatchObject([
          502,
          { code: 'upstream_unreachable' },
        ])
        const seen = `${await everythingOf(response)} ${[...printed, ...errors].map((each) => inFull(each)).join(' ')}`
        for (const secret of [SECRET, new URL(upstream).host, new URL(upstream).port])
          expect(seen).not.toContain(secret)
      }
      expect(errors).toHaveLength(1)
    }
    expect(printed[0]).toContain('ECONNREFUSED')
  })

  it('hands on none of the headers of an answer, and none of its own', async () => {
    const upstream = await serveUpstream((_req, res) => {
      res.writeHead(200, {
        'content-type': 'text/event-stream',
        'set-cookie': `a=${INTERNAL}`,
        'x-internal': INTERNAL,
        server: INTERNAL,
        'access-control-allow-origin': '*',
      })
      res.end('id: 1\ndata: {"op":"delta","p":"hello"}\n\n')
    })
    const { url } = await serveProxy(upstream.origin, { log })
    const response = await post(url, { requestId: crypto.randomUUID() })
    const shown = await everythingOf(response)
    expect(shown).toContain('hello')
    for (const secret of [SECRET, INTERNAL]) expect(shown).not.toContain(secret)
    expect([...response.headers.keys()].toSorted()).toEqual([
      'cache-control',
      'connection',
      'content-type',
      'date',
      'keep-alive',
      'transfer-encoding',
      'x-accel-buffering',
      'x-request-id',
    ])
  })

  it('passes only to onError what its own functions threw', async () => {
    const failing = { onError: undefined, log }
    const bad = [
      await serveProxy('https://agent.example', {
        ...failing,
        headers: () => {
          throw new Error(`no key ${SECRET}`)
        },
      }),
      await serveProxy('https://agent.example', {
        ...failing,
        authorize: async () => Promise.reject(new Error(`no session ${SECRET}`)),
      }),
      await serveProxy('https://agent.example', {
        ...failing,
        headers: { authorization: `Bearer ${SECRET}\r\nx-admin: yes` },
      }),
    ]
    for (const { url } of bad) {
      const response = await post(url, { requestId: crypto.randomUUID() })
      expect(response.status).toBe(500)
      expect(await everythingOf(response)).not.toContain(SECRET)
    }
    expect(printed).toHaveLength(3)
    expect(printed.map((each) => inFull(each)).join(' ')).not.toContain(SECRET)
    const told: unknown[] = []
    const { url } = await serveProxy('https://agent.example', {
      log,
      onError: (error) => told.push(error),
      headers: () => {
        throw new Error('no key')
      },
    })
    await post(url, { requestId: crypto.randomUUID() })
    expect(told).toMatchObject([{ message: 'no key' }])
  })
})

describe('a client of the proxy', () => {
  it('understands its errors, and does not blame the client for the credentials of the server', async () => {
    const cases = [
      [401, { code: 'http_error', agentCode: 'upstream_unauthorized', status: 502 }],
      [429, { code: 'rate_limited', retryAfterMs: 2_000 }],
      [503, { code: 'http_error', severity: 'TRANSIENT' }],
      [410, { code: 'log_expired', severity: 'FATAL' }],
    ] as const
    for (const [status, expected] of cases) {
      const upstream = await upstreamThat(status, { 'retry-after': '2' }, '{}')
      const { origin } = await serveProxy(upstream.origin)
      await expect(collect(new CapClient({ baseUrl: `${origin}/api` }).chat('Why?'))).rejects.toMatchObject(expected)
    }
  })

  it('never follows the agent to another address, and neither does the secret', async () => {
    const elsewhere = await serveUpstream((_req, res) => void res.end())
    for (const status of [301, 302, 303, 307, 308]) {
      const upstream = await upstreamThat(status, { location: `${elsewhere.origin}/assist` }, '')
      const proxy = createAgentProxy({
        upstream: upstream.origin,
        headers: { authorization: SECRET },
        authorize: () => 'ann',
      })
      expect((await proxy(postRequest('http://app.example/assist'))).status).toBe(502)
    }
    expect(elsewhere.seen).toEqual([])
  })
})
