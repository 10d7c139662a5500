import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { memoryConversationStore } from '../../src/server/conversation/memory-conversation-store.ts'
import { memoryEventLog } from '../../src/server/event-log/memory-event-log.ts'
import type { AgentProxyOptions } from '../../src/server/proxy/agent-proxy.ts'
import { createAgentProxy } from '../../src/server/proxy/agent-proxy.ts'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import type { ArcpRuntimeAuth } from '../../src/runtime/session/authenticate.ts'
import { toArcpUpgradeListener, createArcpRuntime } from '../../src/runtime/arcp-runtime.ts'
import { webSocket } from '../../src/wire/frame-requests.ts'
import { webSocketTransport } from '../../src/wire/web-socket-transport.ts'
import { ArcpClient } from '../../src/protocols/arcp/client/arcp-client.ts'
import { AT_ONCE } from '../faults/meet.ts'
import { OPEN, serve } from '../runtime/served-runtime.ts'
import { postRequest, REQUEST_ID } from '../server/peer.ts'
import { serveUpgrades, serveWebSockets } from '../support/frame-agent.ts'

/** Whose secret a function of the app would give away by a wrong return value. */
const ANN = 'ann'
const SESSION = '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a20'

/** What JavaScript lets a function return that should name a user. */
const NO_IDENTITIES: readonly (readonly [what: string, value: unknown])[] = [
  ['false', false],
  ['true', true],
  ['0', 0],
  ['5', 5],
  ['NaN', Number.NaN],
  ["''", ''],
  ['undefined', undefined],
  ['null', null],
  ['{}', {}],
  ['[]', []],
  ['{ id: 5 }', { id: 5 }],
  ["{ id: '' }", { id: '' }],
  ["['ann']", [ANN]],
  ['a function', () => ANN],
  ['a lone surrogate', `${ANN}\ud800`],
]

/** Whether a caller was let in, and what the developer was told. */
interface Attempt {
  readonly isIn: boolean
  readonly reports: readonly unknown[]
}

/** One check of a caller: `returned` gives what the app's function returns. */
type Gate = (returned: () => unknown) => Promise<Attempt>

/** A function of the app that names a user. As written in JavaScript, where no type objects. */
const untyped = (returned: () => unknown): (() => string) => returned as () => string

const foreign = (body: object): Parameters<typeof postRequest>[1] => ({ body: JSON.stringify(body) })
const AG_UI = foreign({
  threadId: 'chat-1',
  runId: REQUEST_ID,
  messages: [{ id: 'm', role: 'user', content: 'Why?' }],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
})
const AI_SDK = foreign({ id: 'chat-1', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Why?' }] }] })

/** A request to a handler that runs an agent, and keeps a conversation of Ann. */
function handlerGate(request: () => Request): Gate {
  return async (returned) => {
    const reports: unknown[] = []
    const conversations = memoryConversationStore()
    const turn = { id: REQUEST_ID, replaces: [], text: 'A secret of Ann', at: 0 }
    await conversations.begin({ owner: ANN, id: SESSION }, turn, 'A secret of Ann')
    let runs = 0
    const handler = createAgentHandler({
      agent: async () => void (runs += 1),
      conversations,
      authorize: untyped(returned),
      onError: (error) => reports.push(error),
    })
    const response = await handler(request())
    await response.text()
    return { isIn: runs > 0 || response.status < 400 || response.status === 404, reports }
  }
}

const at = (method: string, path: string, body?: object) => (): Request =>
  new Request(`http://agent.example${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

/** A request to a proxy, whose upstream may be asked for identified callers only. */
function proxyGate(options: Partial<AgentProxyOptions>, request: () => Request): Gate {
  return async (returned) => {
    const reports: unknown[] = []
    let asked = 0
    const proxy = createAgentProxy({
      upstream: 'https://upstream.example/agent',
      headers: { authorization: 'Bearer a secret' },
      authorize: untyped(returned),
      onError: (error) => reports.push(error),
      fetch: async () => {
        asked += 1
        return new Response('data: {"op":"delta","p":"hello"}\n\n', {
          headers: { 'content-type': 'text/event-stream' },
        })
      },
      ...options,
    })
    await (await proxy(request())).text()
    return { isIn: asked > 0, reports }
  }
}

const openWith = (token: string): { open: object } => ({ open: { ...OPEN, auth: { scheme: 'bearer', token } } })

/** A session of a runtime, up to a tool. @param isRefreshed the first proof is right, the second is that of `returned` */
function arcpGate(authOf: (verify: () => string) => ArcpRuntimeAuth, isRefreshed = false): Gate {
  return async (returned) => {
    let runs = 0
    let isNow = !isRefreshed
    const verify = untyped(() => (isNow ? returned() : ANN))
    const { raw, runtime, settle, environment } = serve({ tools: { pay: () => (runs += 1) }, auth: authOf(verify) })
    const client = await raw(openWith('a token'))
    const answer = async (): Promise<void> => {
      client.send('session.authenticate', { token: 'a token', response: 'an answer' })
      await settle()
    }
    if (client.of('session.challenge').length > 0) await answer()
    if (isRefreshed) {
      isNow = true
      runtime.refresh(client.last('session.accepted').session_id ?? '')
      await settle()
      await answer()
    }
    if (!client.isClosed) client.send('tool.invoke', { tool: 'pay' })
    await settle()
    // It is refused at once: no client waits for a deadline.
    if (runs === 0)
      expect([client.isClosed, runtime.sessions.some(({ connections }) => connections > 0)]).toEqual([true, false])
    return { isIn: runs > 0, reports: environment.reports }
  }
}

const GATES: Readonly<Record<string, Gate>> = {
  'handler: POST /assist': handlerGate(() => postRequest('http://agent.example/assist')),
  'handler: AG-UI': handlerGate(() => postRequest('http://agent.example/ag-ui', AG_UI)),
  'handler: AI SDK': handlerGate(() => postRequest('http://agent.example/chat', AI_SDK)),
  'handler: cancel': handlerGate(at('POST', `/runs/${REQUEST_ID}/cancel`, {})),
  'conversations: list': handlerGate(at('GET', '/conversations')),
  'conversations: read': handlerGate(at('GET', `/conversations/${SESSION}`)),
  'conversations: rename': handlerGate(at('PATCH', `/conversations/${SESSION}`, { title: 'Taken' })),
  'conversations: remove': handlerGate(at('DELETE', `/conversations/${SESSION}`)),
  'proxy: POST /assist': proxyGate({}, () => postRequest('http://app.example/assist')),
  'proxy: with a log': proxyGate({ log: memoryEventLog() }, () => postRequest('http://app.example/assist')),
  'proxy: GET /health': proxyGate({}, at('GET', '/health')),
  'proxy: cancel': proxyGate({}, at('POST', `/runs/${REQUEST_ID}/cancel`, {})),
  'proxy: AG-UI': proxyGate({ wire: 'ag-ui' }, () => postRequest('http://app.example/agent', AG_UI)),
  'proxy: AI SDK': proxyGate({ wire: 'ai-sdk' }, () => postRequest('http://app.example/chat', AI_SDK)),
  'WebSocket: handler': async (returned) => {
    const reports: unknown[] = []
    let runs = 0
    const handler = createAgentHandler({
      agent: async () => void (runs += 1),
      authorize: untyped(returned),
      onError: (error) => reports.push(error),
    })
    const { origin } = await serveWebSockets(handler, {})
    const client = new CapClient({
      baseUrl: origin,
      transport: webSocket({ WebSocket }),
      retry: AT_ONCE,
      maxRetries: 0,
    })
    try {
      for await (const _ of client.chat('Why?')) continue
    } catch {
      // Refused.
    }
    return { isIn: runs > 0, reports }
  },
  'WebSocket: runtime': async (returned) => {
    const reports: unknown[] = []
    let runs = 0
    const runtime = createArcpRuntime({
      tools: { pay: () => (runs += 1) },
      auth: { bearer: untyped(returned) },
      environment: { report: (error) => reports.push(error) },
    })
    const { origin } = await serveUpgrades((webSocketServer) => toArcpUpgradeListener(runtime, { webSocketServer }))
    const transport = webSocketTransport({ url: origin.replace('http', 'ws'), WebSocket })
    const arcp = new ArcpClient({ transport, auth: { scheme: 'bearer', token: 'a token' }, maxRetries: 0 })
    await arcp.invoke('pay', {}).result.catch(() => undefined)
    arcp.close()
    await runtime.close()
    return { isIn: runs > 0, reports }
  },
  'runtime: bearer': arcpGate((bearer) => ({ bearer })),
  'runtime: bearer, with a token as the answer': arcpGate((bearer) => ({ bearer, challenge: true })),
  'runtime: bearer, with a challenge': arcpGate((bearer) => ({ bearer, challenge: () => ANN })),
  'runtime: challenge': arcpGate((challenge) => ({ bearer: () => ANN, challenge })),
  'runtime: bearer, at a refresh': arcpGate((bearer) => ({ bearer }), true),
  'runtime: bearer, at a refresh with a challenge': arcpGate((bearer) => ({ bearer, challenge: () => ANN }), true),
  'runtime: challenge, at a refresh': arcpGate((challenge) => ({ bearer: () => ANN, challenge }), true),
}

const FORMS: Readonly<Record<string, (value: unknown) => () => unknown>> = {
  sync: (value) => () => value,
  async: (value) => async () => value,
}

it('no return value that names nobody lets a caller in, at any gate, and the developer is told', async () => {
  const table: Record<string, { tries: number; 'let in': number; reported: number }> = {}
  for (const [name, gate] of Object.entries(GATES)) {
    // A gate that is always closed would prove nothing.
    expect((await gate(() => ANN)).isIn, name).toBe(true)
    const row = { tries: 0, 'let in': 0, reported: 0 }
    for (const [what, value] of NO_IDENTITIES) {
      for (const [form, returning] of Object.entries(FORMS)) {
        const { isIn, reports } = await gate(returning(value))
        row.tries += 1
        row['let in'] += isIn ? 1 : 0
        row.reported += reports.length
        // By undefined, a verifier of a runtime says that the token is of nobody.
        const isNobody = value === undefined && name.includes('runtime')
        expect(reports, `${name}: ${what}, ${form}`).toEqual(
          isNobody ? [] : [expect.objectContaining({ code: 'app_error' })],
        )
      }
    }
    table[name] = row
  }
  console.table(table)
  const rows = Object.values(table)
  const sum = (column: 'tries' | 'let in'): number => rows.reduce((total, row) => total + row[column], 0)
  console.log(
    `${rows.length} gates x ${NO_IDENTITIES.length} values x 2 forms: ${sum('tries')} tries, ${sum('let in')} let in`,
  )
  expect([sum('tries'), sum('let in')]).toEqual([rows.length * NO_IDENTITIES.length * 2, 0])
})
