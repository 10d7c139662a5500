import { describe, expect, it } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import type { ServiceRequestInput } from '../../src/protocols/cap/schema/request.ts'
import { backoff } from '../../src/base/backoff.ts'
import type { FaultyServerOptions, ServerFault } from '../../src/testing/faulty-server.ts'
import { faultyServer } from '../../src/testing/faulty-server.ts'
import { collect, requestBody } from '../server/peer.ts'
import { AT_ONCE, closeFrame, delta, meet, noting, open, TEXT, WORDS } from './meet.ts'

const HTML = '<!doctype html><h1>Oops</h1><script>alert(1)</script>'
const status = (code: number, rest: Partial<ServerFault & { type: 'status' }> = {}): ServerFault => ({
  type: 'status',
  status: code,
  ...rest,
})
const cut: ServerFault = { type: 'cut', after: 3 }

describe('HTTP, over real sockets', () => {
  /** Lets in whoever has the newest key, and none before the refresh; the first attempt of each run is cut. */
  function guard(faultOf: (ordinal: number) => ServerFault | undefined = () => undefined) {
    let valid = 'key-1'
    const keys = { held: 'key-1', refreshes: 0 }
    const faults: FaultyServerOptions['faults'] = ({ headers }, ordinal) =>
      headers['authorization'] === `Bearer ${valid}` ? faultOf(ordinal) : status(401)
    const apiKey = async ({ rejected }: { readonly rejected?: string | undefined }): Promise<string> => {
      if (rejected === undefined) return keys.held
      keys.refreshes += 1
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
      keys.held = valid
      return valid
    }
    return { faults, apiKey, keys, expire: () => (valid = `key-${Number(valid.slice(4)) + 1}`) }
  }

  it('row 14: 401 at the start: one refresh shared by all streams, one more try each, and they continue', async () => {
    const { faults, apiKey, keys, expire } = guard()
    expire()
    const server = await faultyServer({ agent: WORDS, faults })
    const client = new CapClient({ baseUrl: server.origin, apiKey, retry: AT_ONCE })
    const texts = await Promise.all([1, 2, 3, 4].map(async () => (await collect(client.chat('Why?'))).join('')))
    expect(texts).toEqual([TEXT, TEXT, TEXT, TEXT])
    expect(keys.refreshes).toBe(1)
    expect(server.attempts).toHaveLength(8)
    await server.close()
  })

  it('row 14: 401 later, on a resume: the same', async () => {
    const { faults, apiKey, keys, expire } = guard((ordinal) => {
      if (ordinal !== 0) return undefined
      expire()
      return cut
    })
    const { text, server } = await meet(faults, { apiKey })
    expect(text).toBe(TEXT)
    expect(keys.refreshes).toBe(1)
    expect(server).toMatchObject({ runs: 1, attempts: { length: 3 } })
  })

  it('row 14: a new key that is refused too is FATAL', async () => {
    let keys = 0
    const { server, errors } = await meet([status(401), status(401), status(401)], {
      apiKey: () => `key-${(keys += 1)}`,
    })
    expect(server.attempts).toHaveLength(2)
    expect(errors).toMatchObject([{ code: 'unauthorized', severity: 'FATAL', status: 401 }])
  })

  it.each([400, 403, 404, 409, 413, 422])(
    'row 15: %i is not tried again, at the start or on a resume; the body is plain text of at most 2 kB',
    async (code) => {
      const refusal = status(code, { body: HTML + 'x'.repeat(10_000), headers: { 'content-type': 'text/html' } })
      for (const faults of [[refusal], [cut, refusal]]) {
        const { server, errors } = await meet(faults)
        expect(server.attempts).toHaveLength(faults.length)
        expect(errors).toMatchObject([{ name: 'CapRuntimeError', status: code, severity: 'FATAL' }])
        expect(errors[0]?.message).not.toContain('<')
        const body = errors[0]?.details?.['body']
        expect(typeof body === 'string' && body.startsWith(HTML) && body.length === 2000).toBe(true)
      }
    },
  )

  it.each([408, 425, 429, 500, 502, 503, 504, 506, 507, 508, 510, 511, 520, 521, 522, 524, 530, 599])(
    'row 16: %i is typed and not tried again at the start, unless the policy says so; on a resume it is one failed attempt',
    async (code) => {
      const first = await meet([status(code)])
      expect(first.server.attempts).toHaveLength(1)
      expect(first.errors).toMatchObject([{ status: code, severity: 'TRANSIENT' }])
      await first.chat.retry()
      expect(first.answer).toMatchObject({ status: 'complete' })
      expect(first.server.attempts[1]?.requestId).toBe(first.server.attempts[0]?.requestId)
      expect((await meet([status(code)], { retry: backoff({ baseMs: 1, capMs: 1, retryHttp: true }) })).text).toBe(TEXT)
      expect((await meet([cut, status(code), status(code)])).text).toBe(TEXT)
      const exhausted = await meet([cut, ...Array.from({ length: 5 }, () => status(code))])
      expect(exhausted.server.attempts).toHaveLength(4)
      expect(exhausted.answer).toMatchObject({ status: 'incomplete', error: { status: code } })
    },
  )

  it('row 16: Retry-After is read in seconds and as a date against the server clock, and clamped to 0..1 h', async () => {
    const retry = { ...noting(), delayMs: noting().delayMs }
    const at = new Date('2031-05-04T03:02:01Z')
    const dated = (ms: number): ServerFault =>
      status(503, { retryAfter: new Date(at.getTime() + ms).toUTCString(), headers: { date: at.toUTCString() } })
    const waits: (number | undefined)[] = []
    const policy = {
      ...retry,
      delayMs: (
        _attempt: number,
        error: { readonly retryAfterMs?: number | undefined; readonly status?: number | undefined },
      ) => {
        if (error.status === 503) waits.push(error.retryAfterMs)
        return 0
      },
      maxAttempts: 9,
    }
    const { chat } = await open(
      [
        cut,
        dated(90_000),
        status(503, { retryAfter: 7 }),
        status(503, { retryAfter: 999_999_999 }),
        dated(-5000),
        status(503, { retryAfter: 'soon' }),
      ],
      { retry: policy },
    )
    // No policy goes below the wait that the server asked for: only a user does.
    chat.subscribe(() => {
      if (chat.getSnapshot().connection.phase === 'waiting') void chat.retry()
    })
    await chat.sendMessage('Why?')
    expect(waits).toEqual([90_000, 7000, 3_600_000, 0, undefined])
  })

  it.each([204, 501, 505])('row 17: %i stops, at the start and on a resume', async (code) => {
    for (const faults of [[status(code)], [cut, status(code)]]) {
      const { server, errors } = await meet(faults)
      expect(server.attempts).toHaveLength(faults.length)
      expect(errors).toMatchObject([{ status: code, severity: 'FATAL' }])
    }
  })

  it.each(['text/html', 'text/plain', 'application/octet-stream', 'text/event-streams'])(
    'row 18: 200 of %s is not an answer: typed, its beginning kept as text, no storm',
    async (contentType) => {
      for (const before of [[], [cut]]) {
        const { server, errors } = await meet([...before, { type: 'page', contentType, body: HTML }])
        expect(server.attempts).toHaveLength(before.length + 1)
        expect(errors).toMatchObject([
          { name: 'CapProtocolError', code: 'unexpected_content_type', details: { body: HTML } },
        ])
        expect(errors[0]?.message).not.toContain('<')
      }
    },
  )

  it('row 19: an error status with an event stream in it is an error', async () => {
    const { errors, answers, server } = await meet([
      status(500, { headers: { 'content-type': 'text/event-stream' }, body: delta(1, 'ghost') + closeFrame(2) }),
    ])
    expect(errors).toMatchObject([{ code: 'http_error', status: 500 }])
    expect(answers).toEqual([])
    expect(server.attempts).toHaveLength(1)
  })

  it.each([307, 308] as const)('row 20: a redirect %i to the same origin is followed, body and all', async (code) => {
    const { text, server } = await meet([{ type: 'redirect', status: code, location: '/v1/assist' }])
    expect(text).toBe(TEXT)
    expect(server.attempts[1]?.body).toBe(server.attempts[0]?.body)
    expect(server.runs).toBe(1)
  })

  it.each([301, 302, 303] as const)(
    'row 20: a redirect %i would turn the question into a GET: it is not followed, and a typed error',
    async (code) => {
      const { errors, server } = await meet([{ type: 'redirect', status: code, location: '/v1/assist' }])
      expect(errors).toMatchObject([
        {
          name: 'CapRuntimeError',
          code: 'http_error',
          severity: 'FATAL',
          status: code,
          message: expect.stringContaining('final URL'),
        },
      ])
      expect(server).toMatchObject({ runs: 0, attempts: { length: 1 } })
    },
  )

  it('row 20: a redirect to another origin is given nothing: neither the key nor the question', async () => {
    const other = await faultyServer({ agent: WORDS })
    const { server, errors } = await meet([{ type: 'redirect', status: 307, location: `${other.origin}/v1/assist` }], {
      apiKey: 'secret',
    })
    expect(server.attempts[0]?.headers['authorization']).toBe('Bearer secret')
    expect(other.attempts).toHaveLength(0)
    expect(errors).toMatchObject([{ code: 'http_error', severity: 'FATAL', status: 307 }])
    expect(errors[0]?.message).toContain(other.origin)
    await other.close()
  })

  it('row 20: redirects that lead in a circle end with a typed error', async () => {
    const again: ServerFault = { type: 'redirect', status: 307, location: '/v1/assist' }
    const { server, errors } = await meet(() => again)
    expect(errors).toMatchObject([{ code: 'http_error', severity: 'FATAL', status: 307 }])
    expect(server).toMatchObject({ runs: 0, attempts: { length: 6 } })
  })

  it('row 41: a key, header or request id that would inject headers is a typed error, and no request goes out', async () => {
    for (const options of [
      { apiKey: 'key\r\nX-Admin: 1' },
      { apiKey: 'key\0' },
      { headers: { 'x-tenant': 'a\nb' } },
      { headers: { 'x tenant': 'a' } },
    ]) {
      const { server, errors } = await meet([], options)
      expect(errors).toMatchObject([{ name: 'CapProtocolError', code: 'invalid_config', severity: 'FATAL' }])
      expect(server.attempts).toHaveLength(0)
    }
    const server = await faultyServer({ agent: WORDS })
    const injecting = {
      ...requestBody(),
      request_id: '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b10\r\nX-Admin: 1',
    } as unknown as ServiceRequestInput // wrong on purpose
    expect(() => new CapClient({ baseUrl: server.origin }).assist(injecting)).toThrow(/request_id/)
    expect(server.attempts).toHaveLength(0)
    await server.close()
  })
})
