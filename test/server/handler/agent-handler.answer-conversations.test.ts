import { describe, expect, it } from 'vitest'
import { memoryConversationStore } from '../../../src/server/conversation/memory-conversation-store.ts'
import {
  createAgentHandler,
  type AgentHandler,
  type AgentHandlerOptions,
} from '../../../src/server/handler/agent-handler.ts'
import { allPackets, postRequest } from '../peer.ts'

const ONE = '11111111-1111-4111-8111-111111111111'
const TWO = '22222222-2222-4222-8222-222222222222'
const BASE = 'https://agent.test/v1'

function handlerOf(options: Partial<AgentHandlerOptions> = {}): AgentHandler {
  return createAgentHandler({
    agent: async function* (_request, run) {
      yield `You said ${run.text}.`
    },
    authorize: (http) => http.headers.get('x-user') ?? new Response(null, { status: 401 }),
    ...options,
  })
}

async function say(handler: AgentHandler, user: string, sessionId: string, query: string): Promise<void> {
  const asking = { sessionId, query, requestId: crypto.randomUUID(), headers: { 'x-user': user } }
  await allPackets(await handler(postRequest(`${BASE}/assist`, asking)))
}

async function ask(
  handler: AgentHandler,
  path: string,
  init: RequestInit & { user?: string } = {},
): Promise<[number, unknown]> {
  const { user = 'ann', ...rest } = init
  const headers = { 'x-user': user, ...(rest.body !== undefined && { 'content-type': 'application/json' }) }
  const response = await handler(new Request(`${BASE}/${path}`, { ...rest, headers }))
  const body: unknown = await response.json()
  return [response.status, body]
}

describe('the conversations of a user', () => {
  it('are listed, the latest first, with the words they began with', async () => {
    const handler = handlerOf()
    await say(handler, 'ann', ONE, 'Why do rivers\nmeander?')
    await say(handler, 'bob', TWO, 'Hello')
    const [status, body] = await ask(handler, 'conversations')
    expect(status).toBe(200)
    expect(body).toMatchObject({ conversations: [{ id: ONE, title: 'Why do rivers meander?' }] })
  })

  it('are read as a page shows them, under any form of their id', async () => {
    const handler = handlerOf()
    await say(handler, 'ann', ONE, 'Why?')
    await say(handler, 'ann', ONE, 'And?')
    const [, body] = await ask(handler, `conversations/${ONE.toUpperCase()}`)
    expect(body).toMatchObject({
      messages: [
        { role: 'user', text: 'Why?', parts: [{ type: 'text', text: 'Why?' }], status: 'complete' },
        { role: 'assistant', text: 'You said Why?.' },
        { role: 'user', text: 'And?' },
        { role: 'assistant', text: 'You said And?.' },
      ],
    })
  })

  it('are renamed and removed', async () => {
    const handler = handlerOf()
    await say(handler, 'ann', ONE, 'Why?')
    expect((await ask(handler, `conversations/${ONE}`, { method: 'PATCH', body: '{"title":" Bends "}' }))[0]).toBe(200)
    expect((await ask(handler, 'conversations'))[1]).toMatchObject({ conversations: [{ title: 'Bends' }] })
    expect((await ask(handler, `conversations/${ONE}`, { method: 'PATCH', body: '{"title":" "}' }))[0]).toBe(400)
    expect((await ask(handler, `conversations/${ONE}`, { method: 'DELETE' }))[0]).toBe(200)
    expect((await ask(handler, 'conversations'))[1]).toEqual({ conversations: [] })
  })

  it('are not there for anybody else', async () => {
    const handler = handlerOf()
    await say(handler, 'ann', ONE, 'Why?')
    const bob = { user: 'bob' }
    const rename = { method: 'PATCH', body: '{"title":"Mine"}' }
    expect(await ask(handler, `conversations/${ONE}`, { ...bob, ...rename })).toMatchObject([
      404,
      { code: 'conversation_not_found' },
    ])
    expect((await ask(handler, `conversations/${TWO}`, rename))[0]).toBe(404)
    expect(await ask(handler, `conversations/${ONE}`, bob)).toMatchObject([404, { code: 'conversation_not_found' }])
    await ask(handler, `conversations/${ONE}`, { ...bob, method: 'DELETE' })
    expect((await ask(handler, `conversations/${ONE}`))[0]).toBe(200)
    expect((await handler(new Request(`${BASE}/conversations`))).status).toBe(401)
  })

  it('are not served at all by a handler that knows no users', async () => {
    const handler = handlerOf({ authorize: undefined })
    expect((await ask(handler, 'conversations'))[0]).toBe(404)
    expect((await ask(handler, `conversations/${ONE}`, { method: 'DELETE' }))[0]).toBe(404)
  })

  it('take no other method, and pages of listed origins may ask', async () => {
    const handler = handlerOf({ cors: { origins: ['https://app.test'] } })
    expect((await ask(handler, 'conversations', { method: 'PUT' }))[0]).toBe(405)
    const preflight = await handler(
      new Request(`${BASE}/conversations/${ONE}`, { method: 'OPTIONS', headers: { origin: 'https://app.test' } }),
    )
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE')
  })

  it('are answered by 500 without details when the store fails', async () => {
    const store = memoryConversationStore()
    const errors: unknown[] = []
    const handler = handlerOf({
      conversations: { ...store, list: () => Promise.reject(new Error('db: secret-host is down')) },
      onError: (error) => errors.push(error),
    })
    const [status, body] = await ask(handler, 'conversations')
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('secret-host')])
    expect(errors).toHaveLength(1)
  })
})
