import { createConnection } from 'node:net'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { CapClient, type CapClientOptions } from '../../../src/protocols/cap/client/cap-client.ts'
import { event } from '../../../src/server/run/agent-output.ts'
import type { Agent } from '../../../src/server/run/agent.ts'
import { createAgentHandler, type AgentHandlerOptions } from '../../../src/server/handler/agent-handler.ts'
import { createAgentProxy } from '../../../src/server/proxy/agent-proxy.ts'
import type { NodeUpgradeListenerOptions } from '../../../src/server/platforms/node-upgrade-listener.ts'
import { toNodeListener } from '../../../src/server/platforms/node-listener.ts'
import { createChat } from '../../../src/state/chat.ts'
import { promptsOf } from '../../../src/state/prompts.ts'
import { textOf } from '../../../src/state/turn.ts'
import { webSocket } from '../../../src/wire/frame-requests.ts'
import { AT_ONCE } from '../../faults/meet.ts'
import { collect, requestBody, serve } from '../peer.ts'
import { serveWebSockets } from '../../support/frame-agent.ts'

const transport = webSocket({ WebSocket })

async function clientOf(
  agent: Agent,
  {
    handler = {},
    listener = {},
    client = {},
  }: {
    readonly handler?: Partial<AgentHandlerOptions>
    readonly listener?: Omit<NodeUpgradeListenerOptions, 'webSocketServer'>
    readonly client?: Partial<CapClientOptions>
  } = {},
) {
  const served = await serveWebSockets(createAgentHandler({ agent, onError: () => {}, ...handler }), listener)
  return { ...served, client: new CapClient({ baseUrl: served.origin, transport, retry: AT_ONCE, ...client }) }
}

async function* river() {
  yield 'Rivers '
  yield event('THOUGHT_TRACE', { thought: 'bends' })
  yield 'meander.'
}

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 1))
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => error,
  )

describe('a client over WebSockets', () => {
  it('gets the text of a run on one connection, which is closed when the run has ended', async () => {
    const { client, webSocketServer } = await clientOf(river)
    let opened = 0
    const stream = client.chat('Why?')
    for await (const _ of stream) opened = Math.max(opened, webSocketServer.clients.size)
    expect(opened).toBe(1)
    await until(() => webSocketServer.clients.size === 0)
  })

  it('gets JSON from an agent that does not stream, and the health of the server', async () => {
    const { client } = await clientOf(async () => ({ output: { text: 'All of it.' } }))
    const stream = client.assist(requestBody() as never) // the peer's builder writes a request
    await collect(stream)
    expect(stream.response?.output).toEqual({ text: 'All of it.' })
    expect(await client.health()).toMatchObject({ status: 'ok' })
  })

  it('sends its key in the first frame and not in the address, and gets another one after a 401', async () => {
    const seen: (string | null)[] = []
    const addresses: (string | undefined)[] = []
    const { client, origin, webSocketServer } = await clientOf(river, {
      handler: {
        authorize(http) {
          seen.push(http.headers.get('authorization'))
          addresses.push(http.url)
          return http.headers.get('authorization') === 'Bearer new' ? 'ann' : new Response(null, { status: 401 })
        },
      },
      client: { apiKey: ({ rejected }) => (rejected === undefined ? 'old' : 'new') },
    })
    expect((await collect(client.chat('Why?'))).join('')).toBe('Rivers meander.')
    expect(seen).toEqual(['Bearer old', 'Bearer new'])
    expect(addresses).toEqual([`${origin}/v1/assist`, `${origin}/v1/assist`])
    await until(() => webSocketServer.clients.size === 0)
  })

  it('answers, speaks into and stops a run over their own connections', async () => {
    const heard: unknown[] = []
    const options = [{ id: 'yes', label: 'Yes', kind: 'neutral' }] as const
    const { client, webSocketServer } = await clientOf(async function* (_, run) {
      yield 'May I? '
      heard.push((await run.ask({ kind: 'choice', message: 'May I?', options })).type)
      for await (const { text } of run.inbox) {
        heard.push(text)
        break
      }
      yield 'On. '
      await run.sleep(1_000_000)
    })
    const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
    const sent = chat.sendMessage('Why?')
    await until(() => chat.getSnapshot().messages.flatMap(promptsOf).length > 0)
    const [prompt] = chat.getSnapshot().messages.flatMap(promptsOf)
    expect(await chat.answer(prompt?.id ?? '', { type: 'option', optionId: 'yes' })).toEqual({ status: 'accepted' })
    await chat.say('Go on')
    await until(() => chat.getSnapshot().messages.some((message) => textOf(message).includes('On.')))
    expect(heard).toEqual(['chosen', 'Go on'])
    await chat.stop()
    await sent
    expect(chat.getSnapshot().messages.at(-1)?.status).toBe('stopped')
    await chat.dispose()
    await until(() => webSocketServer.clients.size === 0)
  })

  it('says what a server refused it with: nothing is there', async () => {
    const { client } = await clientOf(river, { client: { path: '/nowhere' } })
    expect(await rejection(collect(client.chat('Why?')))).toMatchObject({ code: 'not_found', status: 404 })
  })

  it('is refused with a header that the server does not list', async () => {
    const headers = { 'x-tenant': 'acme' }
    const refused = await clientOf(river, { client: { headers } })
    expect(await rejection(collect(refused.client.chat('Why?')))).toMatchObject({ status: 400 })
    const listed = await clientOf(river, { client: { headers }, listener: { headers: ['X-Tenant'] } })
    expect((await collect(listed.client.chat('Why?'))).join('')).toBe('Rivers meander.')
  })

  it('is refused for good with a request that is longer than the server reads', async () => {
    const { client } = await clientOf(river)
    // The handler reads a megabyte, and the connection two.
    expect(await rejection(collect(client.chat('x'.repeat(1_500_000))))).toMatchObject({
      status: 413,
      severity: 'FATAL',
    })
    expect(await rejection(collect(client.chat('x'.repeat(2_500_000))))).toMatchObject({
      code: 'invalid_request',
      severity: 'FATAL',
    })
  })

  it('gets a run of an agent behind the proxy', async () => {
    const upstream = await serve(toNodeListener(createAgentHandler({ agent: river })))
    const proxy = createAgentProxy({ upstream, headers: { authorization: 'Bearer secret' }, authorize: () => 'ann' })
    const { origin } = await serveWebSockets(proxy)
    expect((await collect(new CapClient({ baseUrl: origin, transport }).chat('Why?'))).join('')).toBe('Rivers meander.')
  })
})

describe('a page of another origin', () => {
  it('is refused, with a typed error and without a run', async () => {
    let runs = 0
    const { origin } = await clientOf(() => {
      runs += 1
      return river()
    })
    const Foreign = class extends WebSocket {
      constructor(url: string) {
        super(url, { origin: 'https://evil.test' })
      }
    }
    const client = new CapClient({ baseUrl: origin, transport: webSocket({ WebSocket: Foreign }) })
    expect(await rejection(collect(client.chat('Why?')))).toMatchObject({
      code: 'forbidden',
      status: 403,
      agentCode: 'origin_refused',
    })
    expect(runs).toBe(0)
  })
})

describe('a connection', () => {
  it('of a client that leaves is abandoned, and its run continues', async () => {
    let resume = (): void => {}
    let said = 0
    const { client, webSocketServer } = await clientOf(async function* () {
      yield 'One. '
      await new Promise<void>((resolve) => {
        resume = resolve
      })
      said += 1
      yield 'Two.'
    })
    const abort = new AbortController()
    for await (const _ of client.chat('Why?', { signal: abort.signal })) abort.abort()
    await until(() => webSocketServer.clients.size === 0)
    resume()
    await until(() => said === 1)
  })

  it('of a client that does not read holds the run back', async () => {
    const { origin, webSocketServer } = await clientOf(async function* () {
      for (let block = 0; block < 60; block += 1) yield 'x'.repeat(200_000)
    })
    const socket = createConnection({ port: Number(new URL(origin).port), host: '127.0.0.1' })
    socket.write('GET /v1/assist HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n')
    socket.write('Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    socket.pause()
    const [accepted] = webSocketServer.clients
    const body = JSON.stringify(requestBody())
    accepted?.emit('message', Buffer.from(body), false)
    await until(() => (accepted?.bufferedAmount ?? 0) > 65_536)
    // What is on its way does not grow with the answer of twelve megabytes.
    for (let turn = 0; turn < 100; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      expect(accepted?.bufferedAmount).toBeLessThan(1_000_000)
    }
    socket.destroy()
  })

  it('with an address that is none is dropped', async () => {
    const { origin } = await clientOf(river)
    const socket = createConnection({ port: Number(new URL(origin).port), host: '127.0.0.1' })
    socket.write('GET / HTTP/1.1\r\nHost: :::\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n')
    socket.write('Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n')
    let heard = ''
    socket.on('data', (bytes) => {
      heard += bytes.toString()
    })
    await new Promise((resolve) => socket.once('close', resolve))
    expect(heard).toBe('')
  })
})
