import { request as httpRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { AgentHandlerOptions } from '../../../src/server/handler/agent-handler.ts'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import { toNodeListener } from '../../../src/server/platforms/node-listener.ts'
import { allPackets, post, postRequest, REQUEST_ID, requestBody, serve } from '../peer.ts'

let runs = 0

async function serveAgent(options: Partial<AgentHandlerOptions> = {}): Promise<string> {
  runs = 0
  const handler = createAgentHandler({
    agent: async function* (_request, run) {
      runs += 1
      yield `Hello ${run.user ?? 'nobody'}`
    },
    onError: () => {},
    ...options,
  })
  return serve(toNodeListener(handler))
}

async function refusal(
  response: Response,
): Promise<{ status: number; code: string; message: string; details?: unknown }> {
  const body = (await response.json()) as { code: string; message: string; severity: string }
  expect(body.severity).toBe('FATAL')
  expect(response.headers.get('content-type')).toBe('application/json')
  return { status: response.status, ...body }
}

describe('addresses', () => {
  it('answers POST on /assist and /v1/assist under any prefix', async () => {
    const origin = await serveAgent()
    for (const path of ['/assist', '/v1/assist', '/api/agents/rivers/assist']) {
      expect((await post(origin + path, { requestId: crypto.randomUUID() })).status).toBe(200)
    }
  })

  it('refuses other methods with Allow', async () => {
    const origin = await serveAgent()
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await fetch(`${origin}/assist`, { method })
      expect(response.headers.get('allow')).toBe('POST')
      expect(await refusal(response)).toMatchObject({ status: 405, code: 'method_not_allowed' })
    }
    const response = await fetch(`${origin}/health`, { method: 'POST' })
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })

  it('refuses TRACE, which fetch cannot represent, with a typed 405', async () => {
    for (const authorize of [undefined, () => 'ann']) {
      const origin = await serveAgent({ authorize })
      const [status, allow, body] = await new Promise<readonly unknown[]>((resolve, reject) => {
        httpRequest(`${origin}/assist`, { method: 'TRACE' }, (answer) => {
          answer.once('data', (bytes) => resolve([answer.statusCode, answer.headers.allow, JSON.parse(String(bytes))]))
        })
          .on('error', reject)
          .end()
      })
      expect([status, allow, body]).toMatchObject([
        405,
        expect.stringContaining('POST'),
        { code: 'method_not_allowed', severity: 'FATAL' },
      ])
    }
  })

  it('answers HEAD /health without a body', async () => {
    const origin = await serveAgent()
    const response = await fetch(`${origin}/health`, { method: 'HEAD' })
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'application/json',
      '',
    ])
  })

  describe('from pages of other origins', () => {
    const foreign = { origin: 'https://evil.example' }
    const crossSite = { origin: 'null', 'sec-fetch-site': 'cross-site' }
    const control = `/runs/${REQUEST_ID}/cancel`

    it.each([
      ['a question', '/assist', foreign],
      ['a question from an opaque origin', '/assist', crossSite],
      [
        'a question without an origin, which the browser marks as cross-site',
        '/assist',
        { 'sec-fetch-site': 'cross-site' },
      ],
      ['a command', control, foreign],
    ])('refuses %s before authorize or the agent is called', async (_what, path, headers) => {
      let authorized = 0
      const origin = await serveAgent({ authorize: () => String(++authorized) })
      expect(await refusal(await post(origin + path, { headers }))).toMatchObject({
        status: 403,
        code: 'origin_refused',
      })
      expect([authorized, runs]).toEqual([0, 0])
    })

    it('refuses to rename or delete a conversation', async () => {
      const origin = await serveAgent({ authorize: () => 'ann' })
      for (const method of ['PATCH', 'DELETE'])
        expect(
          await refusal(await fetch(`${origin}/conversations/${REQUEST_ID}`, { method, headers: foreign })),
        ).toMatchObject({ status: 403, code: 'origin_refused' })
    })

    it('refuses the origin of sandboxed pages, also under an address that is neither http nor https', async () => {
      const handler = createAgentHandler({ agent: async () => {} })
      const http = postRequest('app://capstan/assist', { headers: { origin: 'null' } })
      expect(await refusal(await handler(http))).toMatchObject({ status: 403, code: 'origin_refused' })
    })

    it.each([
      ['of the server itself', (origin: string) => ({ origin })],
      [
        'that the browser marks as the same',
        () => ({ origin: 'https://tls.example', 'sec-fetch-site': 'same-origin' }),
      ],
      ['that cors lists', () => ({ origin: 'https://app.example' })],
      ['that is absent', () => ({})],
    ])('lets an origin pass %s', async (_what, headersOf) => {
      const origin = await serveAgent({ cors: { origins: ['https://app.example'] } })
      expect((await post(`${origin}/assist`, { headers: headersOf(origin) })).status).toBe(200)
    })
  })

  it('knows no other path', async () => {
    const origin = await serveAgent()
    for (const path of ['/', '/assists', '/assist/', '/toString', '/v1/assist/more']) {
      expect(await refusal(await post(origin + path))).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  it('tells its health without asking who calls', async () => {
    const agentId = '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c001'
    const origin = await serveAgent({
      authorize: () => new Response(null, { status: 401 }),
      health: { agentId, version: '1.2.3', status: () => 'degraded' },
    })
    const response = await fetch(`${origin}/health`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      status: 'degraded',
      agent_id: agentId,
      version: '1.2.3',
      uptime_seconds: expect.any(Number),
      control: ['cancel', 'answer', 'say'],
    })
  })
})

describe('bodies that cannot be answered', () => {
  it('must be declared as JSON', async () => {
    const url = `${await serveAgent()}/assist`
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
      expect(await refusal(await post(url, { headers: { 'content-type': type } }))).toMatchObject({
        status: 415,
        code: 'unsupported_media_type',
      })
    }
    expect((await post(url, { headers: { 'content-type': 'Application/JSON; charset=utf-8' } })).status).toBe(200)
  })

  it('must be JSON in UTF-8, not too deep', async () => {
    const url = `${await serveAgent()}/assist`
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    for (const body of ['', '{', 'null', '"text"', deep, new Uint8Array([0x22, 0xff, 0x22])]) {
      expect(await refusal(await post(url, { body }))).toMatchObject({ status: 400, code: 'invalid_request' })
    }
    expect(runs).toBe(0)
  })

  it('must be a ServiceRequest, and are told which key is wrong', async () => {
    const url = `${await serveAgent()}/assist`
    const good = requestBody()
    const wrong: [unknown, string][] = [
      [{ ...good, request_id: 'seven' }, 'request_id'],
      [{ ...good, context: 'me' }, 'context'],
      [{ ...good, payload: { payload: {} } }, 'payload.session_id'],
    ]
    for (const [body, path] of wrong) {
      const { status, message, details } = await refusal(await post(url, { body: JSON.stringify(body) }))
      expect(status).toBe(400)
      expect(message).toContain(path)
      expect(details).toMatchObject({ issues: expect.arrayContaining([expect.objectContaining({ path })]) })
    }
  })

  it('must not be too large, whatever their length claims', async () => {
    const url = `${await serveAgent({ maxBodyBytes: 2_000 })}/assist`
    const large = JSON.stringify({ ...requestBody(), filler: 'x'.repeat(3_000) })
    expect(await refusal(await post(url, { body: large }))).toMatchObject({ status: 413, code: 'request_too_large' })

    // Chunked: no length is claimed, and the sender never ends.
    const status = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(
        url,
        { method: 'POST', headers: { 'content-type': 'application/json' } },
        (response) => {
          resolve(response.statusCode ?? 0)
          request.destroy()
        },
      )
      request.on('error', reject)
      request.write('x'.repeat(3_000))
    })
    expect(status).toBe(413)
    expect(runs).toBe(0)
  })
})

describe('X-Request-ID', () => {
  it('may be absent or the same, in any spelling of a UUID', async () => {
    const url = `${await serveAgent()}/assist`
    for (const id of [REQUEST_ID, REQUEST_ID.toUpperCase(), REQUEST_ID.replaceAll('-', '')]) {
      const response = await post(url, { headers: { 'x-request-id': id } })
      expect(response.status).toBe(200)
      expect(response.headers.get('x-request-id')).toBe(REQUEST_ID)
    }
    expect(runs).toBe(1)
  })

  it('must not differ from the body', async () => {
    const url = `${await serveAgent()}/assist`
    for (const id of ['6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a20', 'seven', '']) {
      expect(await refusal(await post(url, { headers: { 'x-request-id': id } }))).toMatchObject({
        status: 400,
        message: expect.stringContaining('X-Request-ID'),
      })
    }
  })
})

describe('who may call', () => {
  it('is decided before the body is read, and can be refused in any shape', async () => {
    const url = `${await serveAgent({ authorize: () => new Response('no', { status: 401, headers: { 'www-authenticate': 'Bearer' } }) })}/assist`
    const response = await post(url, { body: 'not even JSON' })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(runs).toBe(0)
  })

  it('binds a run to its user: another one cannot read it by its request id', async () => {
    const url = `${await serveAgent({ authorize: (http) => http.headers.get('authorization') ?? 'guest' })}/assist`
    const [mine] = await allPackets(await post(url, { headers: { authorization: 'ann' } }))
    expect(mine?.p).toBe('Hello ann')
    const [theirs] = await allPackets(await post(url, { headers: { authorization: 'bob' } }))
    expect(theirs?.p).toBe('Hello bob')
    expect((await post(url, { headers: { authorization: 'eve', 'last-event-id': 'x' } })).status).toBe(409)
  })

  it('becomes a plain 500 when asking fails', async () => {
    const errors: unknown[] = []
    const url = `${await serveAgent({
      authorize: () => {
        throw new Error('directory is down at ldap.internal')
      },
      onError: (error) => errors.push(error),
    })}/assist`
    const told = await refusal(await post(url))
    expect(told).toMatchObject({ status: 500, code: 'internal_error' })
    expect(told.message).not.toContain('ldap')
    expect(errors).toHaveLength(1)
  })
})

describe('pages of other origins', () => {
  const cors = { origins: ['https://app.example'] }
  const preflight = (url: string, origin: string): Promise<Response> =>
    createAgentHandler({ agent: async () => {}, cors })(
      new Request(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } }),
    )

  it('may call when they are listed, with all the headers of CAP', async () => {
    const response = await preflight('http://agent.example/assist', 'https://app.example')
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(response.headers.get('access-control-allow-methods')).toContain('POST')
    for (const name of ['authorization', 'content-type', 'last-event-id', 'x-request-id']) {
      expect(response.headers.get('access-control-allow-headers')?.split(', ')).toContain(name)
    }
    expect(response.headers.get('vary')).toBe('Origin')
  })

  it('get no permission when they are not', async () => {
    const response = await preflight('http://agent.example/assist', 'https://evil.example')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    expect(response.headers.get('access-control-allow-headers')).toBeNull()
  })

  it('can read errors too', async () => {
    const handler = createAgentHandler({ agent: async () => {}, cors })
    const response = await handler(
      postRequest('http://agent.example/assist', { body: '{', headers: { origin: 'https://app.example' } }),
    )
    expect(response.status).toBe(400)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(response.headers.get('access-control-expose-headers')).toContain('retry-after')
  })
})
