import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AgentHandlerOptions } from '../../../src/server/handler/agent-handler.ts'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import type { AgentProxyOptions } from '../../../src/server/proxy/agent-proxy.ts'
import { createAgentProxy } from '../../../src/server/proxy/agent-proxy.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { post, postRequest } from '../peer.ts'
import { SECRET, serveProxy, serveUpstream, type RawUpstream } from '../serve-proxy.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** What JavaScript lets an `authorize` return, and no identity. */
const NO_IDENTITIES: readonly (readonly [what: string, value: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['an empty string', ''],
  ['a number', 7],
  ['true', true],
  ['an object', { id: 'ann' }],
  ['text that is no Unicode', 'ann\ud800'],
]

type Authorize = AgentProxyOptions['authorize']

/** As written in JavaScript, where no type objects. */
function untyped(value: unknown): Authorize {
  return async () => value as string // the point of these tests is that it is none
}

async function streaming(): Promise<RawUpstream> {
  return serveUpstream((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\ndata: {"op":"delta","p":"hello"}\n\n')
  })
}

describe.each(NO_IDENTITIES)('an authorize that returns %s', (_what, value) => {
  it('refuses the call in the handler, runs no agent and tells the developer why', async () => {
    let runs = 0
    const errors: unknown[] = []
    const agent = async (): Promise<void> => void (runs += 1)
    const handler = createAgentHandler({ agent, authorize: untyped(value), onError: (error) => errors.push(error) })
    const response = await handler(postRequest('http://agent.example/assist'))
    expect([response.status, await response.json()]).toMatchObject([500, { code: 'internal_error' }])
    expect(runs).toBe(0)
    expect(errors).toMatchObject([
      { code: 'app_error', severity: 'FATAL', message: expect.stringMatching(/authorize returned .*Return/) },
    ])
  })

  it.each([
    ['without a log', undefined],
    ['with a log', memoryEventLog()],
  ])('refuses the call in the proxy %s, and asks nothing upstream', async (_log, log) => {
    const upstream = await streaming()
    const { url, origin, errors } = await serveProxy(upstream.origin, { log, authorize: untyped(value) })
    for (const response of [await post(url), await fetch(`${origin}/api/health`)]) {
      expect([response.status, await response.json()]).toMatchObject([500, { code: 'internal_error' }])
    }
    expect(upstream.seen).toEqual([])
    expect(errors).toMatchObject([{ code: 'app_error' }, { code: 'app_error' }])
  })
})

describe('an authorize that is not a function', () => {
  it.each([[false], [null], [''], [0], ['ann'], [{}]])('is refused where the server is made: %j', (authorize) => {
    const wrong = authorize as unknown as Authorize // as written in JavaScript
    const invalid = expect.objectContaining({ code: 'invalid_config' })
    expect(() => createAgentHandler({ agent: async () => {}, authorize: wrong })).toThrow(invalid)
    expect(() => createAgentProxy({ upstream: 'https://agent.example', headers: {}, authorize: wrong })).toThrow(
      invalid,
    )
  })
})

describe('the type of authorize', () => {
  it('takes no function that may return nothing', () => {
    const agent = async (): Promise<void> => {}
    // @ts-expect-error -- a missing return is not an identity
    const silent: AgentHandlerOptions = { agent, authorize: () => {} }
    // @ts-expect-error -- neither is a user that was not found
    const unknown: AgentHandlerOptions = { agent, authorize: (http) => http.headers.get('x-user') ?? undefined }
    // @ts-expect-error -- the same for the proxy
    const proxied: AgentProxyOptions = { upstream: 'https://agent.example', headers: {}, authorize: async () => {} }
    expect([silent, unknown, proxied]).toHaveLength(3)
  })
})

describe('the health of what is behind a proxy', () => {
  const healthy = async (): Promise<RawUpstream> =>
    serveUpstream((_req, res) => {
      res
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"status":"ok","agent_id":"3f1f9a30-8f77-4a53-9a0a-31b6b5a5c001","version":"1.0.0","uptime_seconds":1}')
    })

  it('is asked for with the secret only for a caller whom authorize names', async () => {
    const upstream = await healthy()
    const users: unknown[] = []
    const { origin } = await serveProxy(upstream.origin, {
      authorize: (http) => http.headers.get('x-user') ?? new Response(null, { status: 401 }),
      headers: ({ user }) => {
        users.push(user)
        return { authorization: `Bearer ${SECRET}` }
      },
    })
    expect((await fetch(`${origin}/api/health`)).status).toBe(401)
    expect(upstream.seen).toEqual([])
    expect((await fetch(`${origin}/api/health`, { headers: { 'x-user': 'ann' } })).status).toBe(200)
    expect([upstream.seen.length, users]).toEqual([1, ['ann']])
  })

  it('is not disclosed to pages of other origins, nor asked for on their behalf', async () => {
    const upstream = await healthy()
    const proxy = createAgentProxy({
      upstream: upstream.origin,
      headers: {},
      authorize: () => 'ann',
      cors: { origins: ['https://app.example'] },
    })
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await proxy(new Request('https://own.example/api/health', { headers }))).status
    expect(await ask({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).toBe(403)
    // An image or a link of another page has no Origin.
    expect(await ask({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(upstream.seen).toEqual([])
    expect(await ask({ origin: 'https://app.example', 'sec-fetch-site': 'cross-site' })).toBe(200)
    expect(await ask({})).toBe(200)
  })
})

describe('other callbacks and lists that are not what their types say', () => {
  it.each([
    ['undefined', undefined],
    ['a string', 'secret'],
    ['an array', [['authorization', SECRET]]],
    ['a header without a value', { authorization: undefined }],
  ])('headers that give %s send nothing upstream', async (_what, value) => {
    const upstream = await streaming()
    // As written in JavaScript.
    const { url, errors } = await serveProxy(upstream.origin, {
      headers: () => value as unknown as Record<string, string>,
    })
    expect((await post(url)).status).toBe(500)
    expect(upstream.seen).toEqual([])
    expect(errors).toMatchObject([{ code: 'app_error' }])
    expect(JSON.stringify(errors.map(String))).not.toContain(SECRET)
  })

  it('a health status that is none is an error, and not taken for ok', async () => {
    for (const value of [undefined, 'fine']) {
      const errors: unknown[] = []
      const handler = createAgentHandler({
        agent: async () => {},
        onError: (error) => errors.push(error),
        health: { status: () => value as 'ok' }, // as written in JavaScript
      })
      expect((await handler(new Request('http://agent.example/health'))).status).toBe(500)
      expect(errors).toMatchObject([{ code: 'app_error' }])
    }
  })

  it.each([['one string'], [['*']], [['null']], [['']], [['https://app.example/']], [['app.example']]])(
    'cors origins %j are refused where the server is made',
    (origins) => {
      const cors = { origins: origins as readonly string[] } // as written in JavaScript
      const invalid = expect.objectContaining({ code: 'invalid_config' })
      expect(() => createAgentHandler({ agent: async () => {}, cors })).toThrow(invalid)
      expect(() =>
        createAgentProxy({ upstream: 'https://agent.example', headers: {}, authorize: () => 'ann', cors }),
      ).toThrow(invalid)
    },
  )

  it('cors origins of browsers, extensions and apps are taken', () => {
    const origins = [
      'https://app.example',
      'http://localhost:5173',
      'http://[::1]:8080',
      'capacitor://localhost',
      'chrome-extension://abcdef',
    ]
    expect(() => createAgentHandler({ agent: async () => {}, cors: { origins } })).not.toThrow()
  })

  it('an onError that throws changes no answer and ends no run early', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const onError = (): never => {
      throw new Error('the logger is broken')
    }
    const agent = async (): Promise<void> => {
      throw new Error('the agent is broken')
    }
    const handler = createAgentHandler({
      agent,
      onError,
      authorize: (http) => (http.headers.has('x-user') ? 'ann' : untyped(undefined)(http)),
    })
    expect((await handler(postRequest('http://agent.example/assist'))).status).toBe(500)
    const failed = await handler(postRequest('http://agent.example/assist', { headers: { 'x-user': 'ann' } }))
    expect((await failed.text()).match(/"op":"\w+"/g)).toEqual(['"op":"ERROR"', '"op":"CLOSE"'])
    const proxy = createAgentProxy({
      upstream: 'https://agent.example',
      headers: {},
      authorize: untyped(undefined),
      onError,
    })
    expect((await proxy(postRequest('http://app.example/assist'))).status).toBe(500)
    expect(printed).toHaveBeenCalledTimes(6)
  })
})

describe('names of users', () => {
  it('never make two users share a run, whatever is in them', async () => {
    const names = [
      'a',
      'a b',
      'a ',
      ' a',
      'A',
      'a\u0000',
      'é',
      'é'.normalize('NFD'),
      'undefined',
      '[object Object]',
      'proxy a',
    ]
    let runs = 0
    const handler = createAgentHandler({
      agent: async function* (_request, run) {
        runs += 1
        yield JSON.stringify(run.user)
      },
      authorize: (http) => decodeURIComponent(http.headers.get('x-user') ?? ''),
    })
    for (const name of names) {
      const heard = await (
        await handler(postRequest('http://agent.example/assist', { headers: { 'x-user': encodeURIComponent(name) } }))
      ).text()
      expect(heard).toContain(JSON.stringify(JSON.stringify(name)).slice(1, -1))
    }
    expect(runs).toBe(names.length)
  })
})
