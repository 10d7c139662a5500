import { describe, expect, it } from 'vitest'
import { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import { createAgentProxy } from '../../../src/server/proxy/agent-proxy.ts'
import { createManualClock, settle } from '../../support/manual-clock.ts'
import {
  allPackets,
  collect,
  framesOf,
  packetsOf,
  post,
  postRequest,
  REQUEST_ID,
  requestBody,
  textOf,
} from '../peer.ts'
import { createGate, serveAgent } from '../serve-agent.ts'
import { nowhere, SECRET, serveProxy, serveUpstream } from '../serve-proxy.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('a page that asks through a proxy', () => {
  it('receives the answer as if it had asked the agent, and the agent is asked with the secret', async () => {
    let heard: Headers | undefined
    const agent = await serveAgent(async function* (request, run) {
      heard = run.headers
      yield `You asked: ${String(request.payload.payload['query'])}`
    })
    const { origin } = await serveProxy(agent.origin)
    const client = new CapClient({ baseUrl: `${origin}/api` })
    expect((await collect(client.chat('Why?'))).join('')).toBe('You asked: Why?')
    expect(heard?.get('authorization')).toBe(`Bearer ${SECRET}`)
  })

  it('gets each packet when it is said, unbuffered and untransformed', async () => {
    const second = createGate()
    const agent = await serveAgent(async function* () {
      yield 'first'
      await second.opened
      yield ' second'
    })
    const response = await post((await serveProxy(agent.origin)).url)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('private, no-cache, no-transform')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('x-request-id')).toBe(REQUEST_ID)
    const packets = packetsOf(response)
    expect((await packets.next()).value).toMatchObject({ op: 'DELTA', p: 'first' })
    second.open()
    expect(textOf(await collect(packets))).toBe(' second')
  })

  it('gets a JSON answer under the id it asked with', async () => {
    const agent = await serveAgent(async (request) => ({ output: { asked: request.request_id } }))
    const response = await post((await serveProxy(agent.origin)).url)
    const body = (await response.json()) as { request_id: string; output: { asked: string } }
    expect(body.request_id).toBe(REQUEST_ID)
    expect(body.output.asked).toMatch(UUID)
    expect(response.headers.get('x-request-id')).toBe(REQUEST_ID)
  })

  it('stops the upstream connection by leaving', async () => {
    const upstream = await serveUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
    })
    const { url } = await serveProxy(upstream.origin)
    const leaving = new AbortController()
    const response = await post(url, { signal: leaving.signal })
    await response.body!.getReader().read()
    expect(upstream.open).toBe(1)
    leaving.abort()
    await expect.poll(() => upstream.open).toBe(0)
  })

  it('stops it too where only the body is let go, read or unread', async () => {
    const upstream = await serveUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
    })
    const proxy = createAgentProxy({ upstream: upstream.origin, headers: {}, authorize: () => 'ann' })
    for (const read of [true, false]) {
      const response = await proxy(postRequest('http://app.example/assist', { requestId: crypto.randomUUID() }))
      const reader = response.body!.getReader()
      if (read) await reader.read()
      await reader.cancel()
      await expect.poll(() => upstream.open).toBe(0)
    }
  })

  it('resumes a connection that was cut, by the record the agent keeps', async () => {
    const middle = createGate()
    let runs = 0
    const agent = await serveAgent(async function* () {
      runs += 1
      yield 'one '
      await middle.opened
      yield 'two'
    })
    const { url } = await serveProxy(agent.origin)
    const leaving = new AbortController()
    const first = framesOf(await post(url, { signal: leaving.signal }))
    const heard = await first.next()
    leaving.abort()
    await expect(first.next()).rejects.toThrow(/abort|terminated/)
    middle.open()
    const again = await allPackets(await post(url, { headers: { 'last-event-id': heard.value?.id ?? '' } }))
    expect(textOf(again)).toBe('one two')
    expect(runs).toBe(1)
  })

  it('can ask how the agent is, in the words of the agent only', async () => {
    const agentId = '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c001'
    const agent = await serveAgent(async () => {}, { health: { agentId, version: '2.0.0', status: () => 'degraded' } })
    const { origin } = await serveProxy(agent.origin)
    const health = await fetch(`${origin}/api/health`)
    expect(await health.json()).toEqual({
      status: 'degraded',
      agent_id: agentId,
      version: '2.0.0',
      uptime_seconds: 0,
      control: ['cancel', 'answer', 'say'],
    })
    const down = await fetch(`${(await serveProxy(await nowhere())).origin}/api/health`)
    expect([down.status, await down.json()]).toMatchObject([502, { code: 'upstream_unreachable' }])
  })
})

describe('what goes up', () => {
  it('is the request under its own ids, with the headers of CAP, the secret and the few that are listed', async () => {
    const upstream = await serveUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end()
    })
    const asked: unknown[] = []
    const { url } = await serveProxy(`${upstream.origin}/agents/rivers`, {
      headers: async ({ user }) => {
        asked.push(user)
        return { Authorization: `Bearer ${SECRET}`, 'x-tenant': 'geo' }
      },
      forwardHeaders: ['x-shown', 'authorization'],
    })
    const { context, payload, ...others } = requestBody()
    const body = {
      ...others,
      context: { ...(context as object) },
      payload: { ...(payload as object) },
      future_key: { kept: true },
    }
    await (
      await post(url, {
        body: JSON.stringify(body),
        headers: {
          cookie: 'session=1',
          authorization: 'Bearer page',
          'x-shown': 'yes',
          'x-hidden': 'no',
          'accept-language': 'de',
          traceparent: '00-1',
          'last-event-id': 'place',
          'x-forwarded-for': '10.0.0.1',
          'x-request-id': REQUEST_ID,
        },
      })
    ).text()
    const [seen] = upstream.seen
    expect([seen?.method, seen?.path]).toEqual(['POST', '/agents/rivers/assist'])
    expect(asked).toEqual(['ann'])
    const sent = JSON.parse(seen?.body ?? '') as { request_id: string; context: { session_id: string } }
    const { session_id } = sent.context
    expect(sent.request_id).toMatch(UUID)
    expect(session_id).toMatch(UUID)
    expect([body.context, body.payload]).not.toContainEqual(expect.objectContaining({ session_id }))
    expect(sent).toEqual({
      ...body,
      request_id: sent.request_id,
      context: { ...body.context, session_id },
      payload: { ...body.payload, session_id },
    })
    const {
      host,
      connection,
      'content-length': length,
      'sec-fetch-mode': mode,
      'user-agent': agent,
      ...headers
    } = seen?.headers ?? {}
    expect([host, connection, length, mode, agent]).not.toContain(SECRET)
    expect(headers).toEqual({
      authorization: `Bearer ${SECRET}`,
      'x-tenant': 'geo',
      'x-shown': 'yes',
      'accept-language': 'de',
      traceparent: '00-1',
      'last-event-id': 'place',
      'x-request-id': sent.request_id,
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'identity',
    })
  })

  it('keeps the ids of a conversation apart and together: the same for one user, others for another', async () => {
    const upstream = await serveUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end()
    })
    const { url } = await serveProxy(upstream.origin)
    const other = crypto.randomUUID()
    const body = requestBody()
    const ask = async (user: string, requestId: string, payload: object): Promise<void> => {
      await (
        await post(url, {
          headers: { 'x-user': user },
          body: JSON.stringify({
            ...body,
            request_id: requestId,
            payload: { ...(body['payload'] as object), ...payload },
          }),
        })
      ).text()
    }
    await ask('ann', REQUEST_ID, { request_id: REQUEST_ID, root_request_id: REQUEST_ID })
    await ask('ann', other, { request_id: other, root_request_id: REQUEST_ID, parent_request_id: REQUEST_ID })
    await ask('bob', REQUEST_ID, { request_id: REQUEST_ID, root_request_id: REQUEST_ID })
    const [first, next, foreign] = upstream.seen.map(
      ({ body }) => JSON.parse(body) as { request_id: string; payload: Record<string, string> },
    )
    expect(first?.payload).toMatchObject({ request_id: first?.request_id, root_request_id: first?.request_id })
    expect(next?.payload).toMatchObject({
      request_id: next?.request_id,
      root_request_id: first?.request_id,
      parent_request_id: first?.request_id,
    })
    expect(foreign?.request_id).not.toBe(first?.request_id)
    expect(JSON.stringify(upstream.seen)).not.toContain(REQUEST_ID)
  })

  it('goes nowhere but to the one upstream, whatever the request says', async () => {
    const upstream = await serveUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end()
    })
    const { origin } = await serveProxy(upstream.origin)
    for (const path of ['/assist?upstream=http://127.0.0.1:1', '//127.0.0.1:1/assist', '/http://127.0.0.1:1/assist']) {
      await (
        await post(origin + path, { requestId: crypto.randomUUID(), headers: { 'x-forwarded-host': '127.0.0.1:1' } })
      ).text()
    }
    expect(upstream.seen.map(({ path }) => path)).toEqual(['/v1/assist', '/v1/assist', '/v1/assist'])
  })
})

describe('another user', () => {
  it('cannot hear a stream by its request id, nor by its place in it', async () => {
    const agent = await serveAgent(async function* (_request, run) {
      yield `secret of run ${run.requestId}`
    })
    const { url } = await serveProxy(agent.origin)
    const mine = await allPackets(await post(url))
    const theirs = await allPackets(await post(url, { headers: { 'x-user': 'bob' } }))
    expect(textOf(theirs)).not.toBe(textOf(mine))
    const eve = await post(url, { headers: { 'x-user': 'eve', 'last-event-id': mine[0]?.stream_id ?? '' } })
    expect([eve.status, await eve.json()]).toMatchObject([409, { code: 'log_expired' }])
  })

  it('is not mistaken for one whose name is put together alike', async () => {
    const upstream = await serveUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).end()
    })
    const { url } = await serveProxy(upstream.origin)
    for (const user of ['ann', 'ann ', `ann","${REQUEST_ID}`, 'Ann', '%'])
      await (await post(url, { headers: { 'x-user': encodeURIComponent(user) } })).text()
    expect(new Set(upstream.seen.map(({ headers }) => headers['x-request-id'])).size).toBe(5)
  })
})

describe('pages of other origins', () => {
  const ask = async (headers: Record<string, string>, cors?: { origins: string[] }): Promise<number> => {
    const agent = await serveAgent(async () => {})
    const proxy = createAgentProxy({ upstream: agent.origin, headers: {}, authorize: () => 'ann', cors })
    return (await proxy(postRequest('https://app.example/api/assist', { headers, requestId: crypto.randomUUID() })))
      .status
  }

  it.each<[who: string, headers: Record<string, string>, status: number]>([
    ['the page of the server itself', { origin: 'https://app.example' }, 200],
    [
      'a page that the browser calls the same, behind a proxy that ends TLS',
      { origin: 'https://public.example', 'sec-fetch-site': 'same-origin' },
      200,
    ],
    ['no page at all', {}, 200],
    ['a page elsewhere', { origin: 'https://evil.example' }, 403],
    ['a page elsewhere, as the browser says', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    ['a neighbour of the same site', { origin: 'https://blog.app.example', 'sec-fetch-site': 'same-site' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['the same name without TLS', { origin: 'http://app.example' }, 403],
    ['a browser that hides the origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('%s', async (_who, headers, status) => {
    expect(await ask(headers)).toBe(status)
  })

  it('may ask when they are listed, and get the permission', async () => {
    expect(
      await ask(
        { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' },
        { origins: ['https://other.example'] },
      ),
    ).toBe(200)
    expect(await ask({ origin: 'https://evil.example' }, { origins: ['https://other.example'] })).toBe(403)
    const proxy = createAgentProxy({
      upstream: 'https://agent.example',
      headers: {},
      authorize: () => 'ann',
      cors: { origins: ['https://other.example'] },
    })
    const response = await proxy(
      new Request('https://app.example/assist', { method: 'OPTIONS', headers: { origin: 'https://other.example' } }),
    )
    expect(response.headers.get('access-control-allow-origin')).toBe('https://other.example')
  })

  it('reach neither authorize nor the agent', async () => {
    const upstream = await serveUpstream((_req, res) => void res.end())
    let authorized = 0
    const { url } = await serveProxy(upstream.origin, { authorize: () => String(++authorized) })
    const response = await post(url, { headers: { origin: 'https://evil.example' } })
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'origin_refused', severity: 'FATAL' }])
    expect([authorized, upstream.seen.length]).toEqual([0, 0])
  })
})

describe('what is refused before the agent is asked', () => {
  it('is a caller that authorize refuses, in any shape', async () => {
    const upstream = await serveUpstream((_req, res) => void res.end())
    const { url } = await serveProxy(upstream.origin, {
      authorize: () => new Response('sign in', { status: 401, headers: { 'www-authenticate': 'Bearer' } }),
    })
    const response = await post(url, { body: 'not even JSON' })
    expect([response.status, await response.text(), response.headers.get('www-authenticate')]).toEqual([
      401,
      'sign in',
      'Bearer',
    ])
    expect(upstream.seen).toEqual([])
  })

  it('is a body that is too large, no JSON or no ServiceRequest, and every other address', async () => {
    const upstream = await serveUpstream((_req, res) => void res.end())
    const { url, origin } = await serveProxy(upstream.origin)
    const status = async (body: string): Promise<number> => (await post(url, { body })).status
    expect(await status(JSON.stringify({ ...requestBody(), filler: 'x'.repeat(1_000_000) }))).toBe(413)
    expect(await status('{')).toBe(400)
    expect(await status('[]')).toBe(400)
    expect(await status('{"request_id":"1"}')).toBe(400)
    expect((await post(`${origin}/v1/admin`)).status).toBe(404)
    expect((await fetch(url)).status).toBe(405)
    expect(upstream.seen).toEqual([])
  })

  it('is a header that would write another one', async () => {
    const upstream = await serveUpstream((_req, res) => void res.end())
    const proxy = createAgentProxy({
      upstream: upstream.origin,
      headers: {},
      authorize: () => 'ann',
      forwardHeaders: ['x-shown'],
    })
    // Real requests cannot hold one; a framework's own may.
    const http = postRequest('http://app.example/assist')
    const sly = new Headers(http.headers)
    const get = sly.get.bind(sly)
    sly.get = (name) => (name === 'x-shown' ? 'a\r\nx-admin: yes' : get(name))
    Object.defineProperty(http, 'headers', { value: sly })
    const response = await proxy(http)
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid_request' }])
    expect(upstream.seen).toEqual([])
  })

  it('is an option that cannot work, when the proxy is made', () => {
    const base = { headers: {}, authorize: () => 'ann' }
    for (const upstream of [
      '',
      '/api',
      'ftp://agent.example',
      'https://me:pw@agent.example',
      'https://agent.example/?key=1',
    ]) {
      expect(() => createAgentProxy({ ...base, upstream })).toThrow(/upstream has to be/)
    }
    for (const name of ['Host', 'content-length', 'Connection', 'bad name']) {
      expect(() => createAgentProxy({ ...base, upstream: 'https://agent.example', forwardHeaders: [name] })).toThrow(
        /forwardHeaders/,
      )
    }
  })
})

describe('an upstream that is silent', () => {
  it('is abandoned before its first byte', async () => {
    const upstream = await serveUpstream(() => {})
    const clock = createManualClock()
    const { url } = await serveProxy(upstream.origin, { clock })
    const asking = post(url)
    await expect.poll(() => upstream.seen.length).toBe(1)
    await clock.advance(60_000)
    const response = await asking
    expect([response.status, await response.json()]).toMatchObject([504, { code: 'upstream_timeout' }])
    await expect.poll(() => upstream.open).toBe(0)
    expect(clock.pending).toBe(0)
  })

  it('is abandoned in mid-answer, and the client sees a cut; comments count as life', async () => {
    let say = (_text: string): void => {}
    const upstream = await serveUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      say = (text) => void res.write(text)
      say(': one\n\n')
    })
    const clock = createManualClock()
    const { url, errors } = await serveProxy(upstream.origin, { clock, idleTimeoutMs: 5_000 })
    const reader = (await post(url)).body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe(': one\n\n')
    await clock.advance(4_000)
    say(': two\n\n')
    expect((await reader.read()).value).toBe(': two\n\n')
    await clock.advance(4_000)
    say(': three\n\n')
    expect((await reader.read()).value).toBe(': three\n\n')
    await settle()
    const [cut] = await Promise.allSettled([reader.read(), clock.advance(5_000)])
    expect(cut.status).toBe('rejected')
    await expect.poll(() => errors).toMatchObject([{ code: 'timeout', agentCode: 'upstream_timeout' }])
    expect(clock.pending).toBe(0)
  })
})
