import { describe, expect, it } from 'vitest'
import { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import type { AnyServiceRequest } from '../../../src/protocols/cap/any-request.ts'
import type { ServiceRequest } from '../../../src/protocols/cap/schema/request.ts'
import { allPackets, collect, post, requestBody } from '../peer.ts'
import { serveAgent } from '../serve-agent.ts'

const ID = '550e8400-e29b-41d4-a716-446655440000'
const SESSION = '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a20'
const ROOT = '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b10'
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
const namedUser = { id: 'u-77', name: 'Ann' }

/** The form of the wire format document, and of v0.15 and v0.16. */
const ofDocument: AnyServiceRequest = {
  request_id: ID,
  context: { user_id: 'u-77', session_id: 'sess_abc' },
  payload: { query: 'How far is it?' },
}
const ofV18: AnyServiceRequest = {
  request_id: ID,
  context: { session_id: 'sess_abc', user: namedUser },
  payload: {
    query: 'How far is it?',
    files: ['f-1'],
    conversation_id: 'c-1',
    meta: { page: 2 },
    root_request_id: ROOT,
    parent_request_id: ROOT,
  },
}
const ofV24: AnyServiceRequest = {
  request_id: ID,
  context: { session_id: SESSION, user: namedUser, agent: { id: ROOT, name: 'Rivers' } },
  payload: { session_id: SESSION, payload: { query: 'How far is it?' }, metadata: { page: 2 }, root_request_id: ROOT },
}

/** What an agent is given of a request. */
async function heard(...requests: readonly AnyServiceRequest[]): Promise<ServiceRequest[]> {
  const given: ServiceRequest[] = []
  const { url } = await serveAgent(async (request) => void given.push(request))
  for (const request of requests) {
    const response = await post(url, { body: JSON.stringify(request) })
    expect(response.status, await response.clone().text()).toBe(200)
    await response.text()
  }
  return given
}

describe('a request in an older documented form', () => {
  it('reaches the agent as a request of today, when it is that of the wire format document', async () => {
    const [request] = await heard(ofDocument)
    expect(request).toEqual({
      request_id: ID,
      context: {
        session_id: expect.stringMatching(UUID),
        agent_id: '00000000-0000-0000-0000-000000000000',
        user: { user_id: 'u-77', tier: 'free', locale: 'en' },
        trace: { trace_id: ID, span_id: ID },
        permissions: [],
        created_at: '2026-03-01T08:15:00Z',
      },
      payload: { session_id: request?.context.session_id, payload: { query: 'How far is it?' }, metadata: {} },
    })
  })

  it('reaches the agent as a request of today, when it is of v0.17 or v0.18', async () => {
    const [request] = await heard(ofV18)
    expect(request?.context).toMatchObject({ user: { user_id: 'u-77' } })
    expect(request?.payload).toEqual({
      session_id: request?.context.session_id,
      root_request_id: ROOT,
      parent_request_id: ROOT,
      payload: { query: 'How far is it?', files: ['f-1'], conversation_id: 'c-1' },
      metadata: { page: 2 },
    })
  })

  it('reaches the agent as a request of today, when it is of v0.19 to v0.24', async () => {
    const [request] = await heard(ofV24)
    expect(request?.context).toMatchObject({ session_id: SESSION, agent_id: ROOT, user: { user_id: 'u-77' } })
    expect(request?.payload).toEqual({
      session_id: SESSION,
      root_request_id: ROOT,
      payload: { query: 'How far is it?' },
      metadata: { page: 2 },
    })
  })

  it('belongs to the same session whenever its session is called the same, and to another one otherwise', async () => {
    const again = { ...ofDocument, request_id: ROOT } as AnyServiceRequest // the same form under another id
    const other = { ...ofDocument, request_id: SESSION, context: { session_id: 'sess_xyz' } } as AnyServiceRequest // the same form
    const [first, second, third] = await heard(ofDocument, again, other)
    expect(second?.payload.session_id).toBe(first?.payload.session_id)
    expect(third?.payload.session_id).not.toBe(first?.payload.session_id)
  })

  it('brings no permissions along that it claims', async () => {
    const claimant = { ...ofDocument, context: { permissions: ['admin'], is_admin: true } } as AnyServiceRequest // the same form
    const [request] = await heard(claimant)
    expect(request?.context.permissions).toEqual([])
    expect(JSON.stringify(request)).not.toContain('admin')
  })

  it('is sent by assist() as it is given', async () => {
    for (const request of [ofDocument, ofV18, ofV24]) {
      const bodies: unknown[] = []
      const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
        bodies.push(JSON.parse(init.body as string)) // this client writes its bodies as text
        return Response.json({ request_id: ID, created_at: '2023-10-27T10:00:00Z', output: { text: 'Not far.' } })
      }
      const stream = new CapClient({ baseUrl: 'https://agent.example', fetch }).assist(request)
      await collect(stream)
      expect(bodies).toEqual([request])
      expect(stream.response?.output).toEqual({ text: 'Not far.' })
    }
  })

  it('is answered from end to end', async () => {
    const { origin } = await serveAgent(async function* (request) {
      yield String(request.payload.payload['query'])
    })
    const packets = await collect(new CapClient({ baseUrl: origin }).assist(ofDocument))
    expect(packets[0]).toMatchObject({ op: 'DELTA', p: 'How far is it?' })
  })
})

describe('a request in no documented form', () => {
  const today = requestBody() as { context: object; payload: Record<string, unknown> } // what the builder makes
  const { payload: _payload, ...withoutPayload } = today.payload
  const { session_id: _session, ...withoutSession } = today.payload

  it.each<[what: string, body: object, path: string]>([
    ["today's, without payload.payload", { ...today, payload: withoutPayload }, 'payload.payload'],
    ["today's, without a session", { ...today, payload: withoutSession }, 'payload.session_id'],
    ["today's, with a context of another form", { ...today, context: 'me' }, 'context'],
    ['a query that is an object', { ...ofDocument, payload: { query: { text: 'x' } } }, 'payload'],
    ['a request id that is none', { ...ofDocument, request_id: 'r-1' }, 'request_id'],
    ['files that are no list of ids', { ...ofDocument, payload: { query: 'x', files: 'f-1' } }, 'payload'],
    ['a context that is text', { ...ofDocument, context: 'me' }, 'context'],
    ['a parent without a root', { ...ofDocument, payload: { query: 'x', parent_request_id: ROOT } }, 'root_request_id'],
    [
      'messages, which never existed',
      { request_id: ID, context: { session_id: 'sess_abc' }, payload: { messages: [] } },
      'context',
    ],
    [
      'a user without a name, in the form of v0.24',
      { ...ofV24, context: { session_id: SESSION, user: { id: 'u-77' } } },
      'context',
    ],
  ])('is refused by the server and by assist(): %s', async (_what, body, path) => {
    const { url, origin } = await serveAgent(async () => {})
    const response = await post(url, { body: JSON.stringify(body) })
    expect([response.status, (await response.json()) as unknown]).toMatchObject([
      400,
      { code: 'invalid_request', message: expect.stringContaining(path) },
    ])
    // Wrong on purpose.
    expect(() => new CapClient({ baseUrl: origin }).assist(body as AnyServiceRequest)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining(path) }),
    )
  })

  it('is that of today where both forms fit', async () => {
    const both = { ...today, payload: { ...today.payload, query: 'older' } }
    const [request] = await heard(both as unknown as AnyServiceRequest) // keys that it does not know are left out
    expect(request?.payload.payload).toEqual({ query: 'Why do rivers meander?' })
    expect(
      (await allPackets(await post((await serveAgent(async () => {})).url, { body: JSON.stringify(both) }))).length,
    ).toBe(1)
  })
})
