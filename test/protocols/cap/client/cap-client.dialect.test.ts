import { describe, expect, it, vi } from 'vitest'
import type { CapClientOptions } from '../../../../src/protocols/cap/client/cap-client.ts'
import { CapClient } from '../../../../src/protocols/cap/client/cap-client.ts'
import type { AnyServiceRequest } from '../../../../src/protocols/cap/any-request.ts'
import { capProtocol } from '../../../../src/protocols/cap/adapter.ts'
import { serviceRequestV19Schema } from '../../../../src/protocols/cap/schema/service-request-g2.ts'
import type { CapDialect } from '../../../../src/protocols/cap/endpoint.ts'
import type { ServiceRequest, ServiceRequestInput } from '../../../../src/protocols/cap/schema/request.ts'
import { serviceRequestSchema } from '../../../../src/protocols/cap/schema/request.ts'
import type { ChatInput } from '../../../../src/seam/chat-input.ts'
import { backoff } from '../../../../src/base/backoff.ts'
import { fetchTransport } from '../../../../src/wire/fetch-transport.ts'
import { serviceRequestV17Schema, serviceRequestV18Schema } from '../dialects/older-service-request.ts'
import { collect, requestBody } from '../../../server/peer.ts'
import { serveAgent } from '../../../server/serve-agent.ts'
import { serveProxy } from '../../../server/serve-proxy.ts'

const ID = '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b10'
const ROOT = '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b11'
const PARENT = '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b12'
const SESSION = '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a20'
const AGENT = '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c001'
const AT_ONCE = backoff({ baseMs: 1, capMs: 1 })
const ANSWER = '{"op":"delta","p":"Well."}'

/** The models of each generation, held to the conformance data by test/conformance/cap.test.ts. */
const MODELS = {
  G1: serviceRequestSchema,
  'v0.17': serviceRequestV17Schema,
  'v0.18': serviceRequestV18Schema,
  'v0.24': serviceRequestV19Schema,
} as const
const OLDER = ['v0.17', 'v0.18', 'v0.24'] as const

interface Posted {
  readonly url: string
  readonly headers: Headers
  readonly text: string
  /** Of any dialect. */
  readonly body: { readonly request_id: string; readonly context: object; readonly payload: object }
}

/** A server that answers 422 to what its generation does not read, and packets without numbers to the rest. */
function serverOf(generation: CapDialect, options: Partial<CapClientOptions> = {}, broken = 0) {
  const posted: Posted[] = []
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const text = init.body as string // this client writes its bodies as text
    posted.push({ url, headers: new Headers(init.headers), text, body: JSON.parse(text) as Posted['body'] }) // every dialect has these keys
    if (posted.length <= broken) return new Response('', { headers: { 'content-type': 'text/event-stream' } })
    if (!MODELS[generation].safeParse(JSON.parse(text)).success)
      return Response.json({ detail: 'unreadable' }, { status: 422 })
    return new Response(`data: ${ANSWER}\n\ndata: {"op":"close"}\n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  return {
    client: new CapClient({ baseUrl: 'https://agent.example', fetch, retry: AT_ONCE, ...options }),
    fetch,
    posted,
  }
}

const chatText = async (client: CapClient): Promise<string> =>
  (await collect(client.chat('How far is it?', { conversationId: SESSION }))).join('')

/** The peer's builder writes exactly the shape of G1. */
const ofG1 = (): ServiceRequestInput => requestBody({ requestId: ID }) as unknown as ServiceRequestInput

const input: ChatInput = {
  text: 'How far is it?',
  conversationId: SESSION,
  requestId: ID,
  files: ['f-1', { id: 'f-2', mimeType: 'text/plain' }],
  metadata: { page: 2 },
  lineage: { rootRequestId: ROOT, after: PARENT, replaces: [ROOT] },
}
const context = {
  agentId: AGENT,
  user: { user_id: 'u-77', name: 'Ann', role: 'editor', email: 'ann@example.org' },
  permissions: ['read'],
  metadata: { tenant: 't-1' },
}
const namedUser = { id: 'u-77', name: 'Ann', role: 'editor' }
const lineage = { request_id: ID, root_request_id: ROOT, parent_request_id: PARENT }
const metadata = { tenant: 't-1', page: 2, replaces: [ROOT] }

describe('a server of an older generation', () => {
  it.each(OLDER)('refuses the request of G1, and reads the one of its own dialect: %s', async (dialect) => {
    await expect(chatText(serverOf(dialect).client)).rejects.toMatchObject({ status: 422 })
    expect(await chatText(serverOf(dialect, { dialect }).client)).toBe('Well.')
  })

  it.each<[dialect: CapDialect, others: readonly CapDialect[]]>([
    ['v0.17', ['v0.24', 'G1']],
    ['v0.18', ['v0.24', 'G1']],
    ['v0.24', ['v0.17', 'v0.18', 'G1']],
  ])('refuses every dialect with another payload: %s', async (generation, others) => {
    for (const dialect of others)
      await expect(chatText(serverOf(generation, { dialect }).client), dialect).rejects.toMatchObject({ status: 422 })
  })

  it('is asked on the same path, with the same headers and equal ids', async () => {
    for (const dialect of [undefined, 'G1', ...OLDER] as const) {
      const { client, posted } = serverOf(dialect ?? 'G1', { dialect, apiKey: 'key' })
      await chatText(client)
      expect(posted).toHaveLength(1)
      expect(posted[0]?.url).toBe('https://agent.example/v1/assist')
      expect(Object.fromEntries(posted[0]?.headers ?? [])).toEqual({
        authorization: 'Bearer key',
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        'x-request-id': posted[0]?.body.request_id,
      })
    }
  })

  it('gets the whole question in the keys of its dialect, and no other keys', async () => {
    const bodies: unknown[] = []
    for (const dialect of OLDER) {
      const { client, posted } = serverOf(dialect, { dialect, context })
      await collect(client.assist(await client.createRequest(input)))
      bodies.push(posted[0]?.body)
    }
    const agent = { id: AGENT, name: AGENT }
    const envelope = { request_id: ID, context: { session_id: SESSION, user: namedUser, agent } }
    const question = {
      ...lineage,
      query: 'How far is it?',
      files: ['f-1', 'f-2'],
      conversation_id: SESSION,
      meta: metadata,
    }
    expect(bodies).toEqual([
      { ...envelope, payload: question },
      { ...envelope, payload: { ...question, session_id: SESSION } },
      {
        ...envelope,
        payload: {
          ...lineage,
          session_id: SESSION,
          payload: { query: 'How far is it?', files: ['f-1', 'f-2'] },
          metadata,
          created_at: expect.stringMatching(/Z$/),
        },
      },
    ])
  })

  it('receives the identity of the user under the names it has for people', async () => {
    const users: unknown[] = []
    for (const user of [
      undefined,
      { user_id: 'u-77' },
      { user_id: 'u-77', name: 'Ann' },
      { name: 'Guest', role: 'visitor' },
    ]) {
      const { client, posted } = serverOf('v0.24', { dialect: 'v0.24', context: { user } })
      await chatText(client)
      users.push(posted[0]?.body.context)
    }
    expect(users).toEqual([
      { session_id: SESSION, user: { id: 'anonymous', name: 'Anonymous User', role: 'user' } },
      { session_id: SESSION, user: { id: 'u-77', name: 'u-77' } },
      { session_id: SESSION, user: { id: 'u-77', name: 'Ann' } },
      { session_id: SESSION, user: { id: 'anonymous', name: 'Guest', role: 'visitor' } },
    ])
  })

  it.each(OLDER)('gets the same bytes on every attempt: %s', async (dialect) => {
    const { client, posted } = serverOf(dialect, { dialect }, 2)
    expect(await chatText(client)).toBe('Well.')
    expect(posted).toHaveLength(3)
    expect(new Set(posted.map(({ text }) => text)).size).toBe(1)
    expect(new Set(posted.map(({ headers }) => headers.get('x-request-id'))).size).toBe(1)
  })

  it('gets no half characters', async () => {
    const { client, posted } = serverOf('v0.18', { dialect: 'v0.18' })
    await collect(client.chat('cut \ud83c', { conversationId: SESSION }))
    expect(posted[0]?.text).toContain('"cut \ufffd"')
  })

  it('is asked by capProtocol as well', async () => {
    const { fetch, posted } = serverOf('v0.24')
    const protocol = capProtocol({
      baseUrl: 'https://agent.example',
      dialect: 'v0.24',
      transport: fetchTransport({ fetch }),
    })
    await collect(
      protocol.open({
        request: ofG1(),
        requestId: ID,
        attempt: 0,
        cursors: [],
        signal: new AbortController().signal,
        wait: async () => {},
      }),
    )
    expect(MODELS['v0.24'].safeParse(posted[0]?.body).success).toBe(true)
  })
})

describe('assist() with a dialect', () => {
  const identity = { id: 'u-77', name: 'Ann' }
  const ofV18: AnyServiceRequest = {
    request_id: ID,
    context: { session_id: 'sess_abc', user: identity },
    payload: { query: 'How far?', conversation_id: 'c-1' },
  }
  const ofV24: AnyServiceRequest = {
    request_id: ID,
    context: { session_id: 'sess_abc', user: identity },
    payload: { session_id: SESSION, payload: { input: 'How far?' } },
  }

  it('sends a request that has the form of the dialect as it is', async () => {
    for (const [dialect, request] of [
      ['v0.17', ofV18],
      ['v0.18', ofV18],
      ['v0.24', ofV24],
    ] as const) {
      const { client, posted } = serverOf(dialect, { dialect })
      await collect(client.assist(request))
      expect(posted[0]?.body).toEqual(request)
    }
  })

  it('passes any payload on where the dialect has a place for it', async () => {
    const { client, posted } = serverOf('v0.24', { dialect: 'v0.24' })
    const request = ofG1()
    request.payload.payload = { input: 'How far?', depth: 3 }
    await collect(client.assist(request))
    expect(posted[0]?.body).toMatchObject({ payload: { payload: { input: 'How far?', depth: 3 } } })
  })

  it.each<[what: string, dialect: CapDialect, payload: Record<string, unknown>, says: string]>([
    ['no query', 'v0.18', { input: 'How far?' }, 'payload.payload.query must be a string'],
    ['a query that is no text', 'v0.17', { query: { text: 'How far?' } }, 'payload.payload.query must be a string'],
    ['files that are no ids', 'v0.18', { query: 'How far?', files: [{ id: 'f-1' }] }, 'payload.payload.files'],
    [
      'files carried along',
      'v0.17',
      { query: 'How far?', parts: [{ type: 'blob', content: 'AA==' }] },
      'payload.payload.parts',
    ],
    ['keys of the app', 'v0.18', { query: 'How far?', depth: 3 }, 'payload.payload.depth'],
  ])('refuses what the dialect has no place for, and sends nothing: %s', async (_what, dialect, payload, says) => {
    const { client, posted } = serverOf(dialect, { dialect })
    const request = ofG1()
    request.payload.payload = payload
    await expect(collect(client.assist(request))).rejects.toMatchObject({
      name: 'CapProtocolError',
      code: 'invalid_request',
      severity: 'FATAL',
      message: expect.stringContaining(says),
    })
    expect(posted).toEqual([])
  })

  it.each<[what: string, dialect: CapDialect, request: AnyServiceRequest, says: string]>([
    ['v0.18 to v0.24', 'v0.24', ofV18, 'another generation'],
    ['v0.24 to v0.17', 'v0.17', ofV24, 'another generation'],
    [
      'the wire format document to v0.18, which wants to know who asks',
      'v0.18',
      { ...ofV18, context: { session_id: 'sess_abc', user_id: 'u-77' } },
      'context.user',
    ],
    [
      'a user without a name to v0.17',
      'v0.17',
      { ...ofV18, context: { session_id: 'sess_abc', user: { id: 'u-77' } } },
      'context.user',
    ],
    [
      'a session that is no text to v0.17',
      'v0.17',
      { ...ofV18, context: { session_id: 7, user: identity } },
      'context.session_id',
    ],
  ])(
    'refuses a request in the form of another generation, and sends nothing: %s',
    async (_what, dialect, request, says) => {
      const { client, posted } = serverOf(dialect, { dialect })
      await expect(collect(client.assist(request))).rejects.toMatchObject({
        name: 'CapProtocolError',
        code: 'invalid_request',
        message: expect.stringContaining(says),
      })
      expect(posted).toEqual([])
    },
  )
})

describe('the options for older servers', () => {
  it.each([
    [{ dialect: 'v0.19' }, 'dialect is "v0.19"; it has to be one of G1, v0.17, v0.18, v0.24.'],
    [{ dialect: 'toString' }, 'dialect is "toString"'],
    [{ dialect: '' }, 'dialect is ""'],
    [{ onUnresumable: 'again' }, 'onUnresumable is "again"; it has to be one of fail, restart.'],
    [{ onUnresumable: true }, 'onUnresumable is true'],
  ])('are refused at once when they name nothing that exists: %j', (wrong, message) => {
    // Wrong on purpose.
    const options = wrong as Partial<CapClientOptions>
    expect(() => new CapClient({ baseUrl: 'https://agent.example', ...options })).toThrow(
      expect.objectContaining({
        name: 'CapProtocolError',
        code: 'invalid_config',
        message: expect.stringContaining(message),
      }),
    )
  })
})

describe('createAgentHandler and the proxy', () => {
  it.each(OLDER)('read what a client with this dialect sends: %s', async (dialect) => {
    const given: ServiceRequest[] = []
    const agent = await serveAgent(async function* (request) {
      given.push(request)
      yield String(request.payload.payload['query'])
    })
    const proxy = await serveProxy(agent.origin)
    for (const baseUrl of [agent.origin, `${proxy.origin}/api`]) {
      expect(await chatText(new CapClient({ baseUrl, dialect, context: { user: { user_id: 'u-77' } } }))).toBe(
        'How far is it?',
      )
    }
    expect(given).toHaveLength(2)
    for (const [at, { context, payload }] of given.entries()) {
      // The proxy binds the conversation to its user.
      const session = at === 0 ? SESSION : payload.session_id
      expect([context.user.user_id, context.session_id, payload.session_id]).toEqual(['u-77', session, session])
      expect(payload.session_id === SESSION).toBe(at === 0)
    }
  })
})

describe('the module that writes older requests', () => {
  it('is asked for again when it could not be loaded', async () => {
    vi.resetModules()
    let loads = 0
    vi.doMock('../../../../src/protocols/cap/rare-requests.ts', async (importOriginal) => {
      loads += 1
      if (loads === 1) throw new TypeError('Failed to fetch dynamically imported module')
      return importOriginal()
    })
    try {
      const { CapClient: Fresh } = await import('../../../../src/protocols/cap/client/cap-client.ts')
      const { fetch, posted } = serverOf('v0.18')
      const errors: unknown[] = []
      const client = new Fresh({
        baseUrl: 'https://agent.example',
        fetch,
        retry: AT_ONCE,
        dialect: 'v0.18',
        onRetry: ({ error }) => errors.push(error),
      })
      expect((await collect(client.chat('Hello'))).join('')).toBe('Well.')
      expect(errors).toMatchObject([{ kind: 'connection', code: 'network_error', severity: 'TRANSIENT' }])
      expect(posted).toHaveLength(1)
    } finally {
      vi.doUnmock('../../../../src/protocols/cap/rare-requests.ts')
      vi.resetModules()
    }
  })
})
