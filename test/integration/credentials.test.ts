import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { A2AClient } from '../../src/protocols/a2a/client/a2a-client.ts'
import { AgentCardResolver } from '../../src/protocols/a2a/client/agent-card-resolver.ts'
import { httpJsonTransport } from '../../src/protocols/a2a/client/http-json-transport.ts'
import { jsonRpcV03Transport } from '../../src/protocols/a2a/client/json-rpc-transport.ts'
import { AgUiClient } from '../../src/protocols/ag-ui/client/ag-ui-client.ts'
import { AiSdkClient } from '../../src/protocols/ai-sdk/client/ai-sdk-client.ts'
import { ArcpClient } from '../../src/protocols/arcp/client/arcp-client.ts'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { createAgentProxy, type AgentProxyOptions } from '../../src/server/proxy/agent-proxy.ts'
import { memoryEventLog } from '../../src/server/event-log/memory-event-log.ts'
import type { AgentProtocol, Opening } from '../../src/seam/protocol.ts'
import { createChat } from '../../src/state/chat.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { webSocket } from '../../src/wire/frame-requests.ts'
import { webSocketTransport } from '../../src/wire/web-socket-transport.ts'
import type { Fetch } from '../../src/wire/fetch-transport.ts'
import { AT_ONCE } from '../faults/meet.ts'
import { postRequest, REQUEST_ID } from '../server/peer.ts'

/** What only the agent may be given: a key, a header of the app, and what the user asks. */
const KEY = 'sk_canary_of_the_app'
const HEADER = 'tenant_canary_of_the_app'
const QUESTION = 'Is the canary of the user safe?'
const SECRETS = new RegExp(`${KEY}|${HEADER}|${QUESTION.replace('?', '.')}`)

const CREDENTIALS = { apiKey: KEY, headers: { 'x-api-key': HEADER } }
const STATUSES = [301, 302, 303, 307, 308] as const
/** Hosts of the machine and its network, and addresses that are not of HTTP. No test connects to them. */
const PRIVATE = [
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://[fe80::1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fd00:ec2::254]/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://0.0.0.0/',
  'https://metadata.internal/',
  'data:application/json,{"jsonrpc":"2.0","id":1,"result":{}}',
  'file:///etc/passwd',
  'blob:http://127.0.0.1/1',
  'ftp://127.0.0.1/',
] as const

interface Seen {
  readonly url: string
  readonly hasSecret: boolean
}

interface Host {
  readonly origin: string
  readonly port: number
  readonly seen: Seen[]
}

/** Where a server leads its callers. A test may change it. */
interface Redirect {
  readonly status: number
  to: string
}

interface HostOptions {
  /** Loopback address to listen on. @default '127.0.0.1' */
  readonly address?: string
  readonly port?: number
  /** Answer to requests outside of `/landed`. Absent: as those inside, which are not found. */
  readonly redirect?: Redirect
  /** A card, for its well-known path. Absent: none. */
  readonly card?: (origin: string) => object
}

/** A real server until the test ends. It notes each request, and answers by a redirect or not at all. */
async function host({ address = '127.0.0.1', port = 0, redirect, card }: HostOptions = {}): Promise<Host> {
  const seen: Seen[] = []
  const note = ({ url = '', headers }: IncomingMessage, body: string): void => {
    seen.push({ url, hasSecret: SECRETS.test(JSON.stringify(headers) + body) })
  }
  const server = createServer((req, res) => {
    let body = ''
    req.on('data', (bytes: Buffer) => (body += bytes.toString()))
    req.on('end', () => {
      note(req, body)
      if (card !== undefined && req.url?.endsWith('.json') === true)
        return res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card(origin)))
      if (redirect === undefined || req.url?.startsWith('/landed') === true) return res.writeHead(404).end()
      return res.writeHead(redirect.status, { location: redirect.to }).end()
    })
  })
  server.on('upgrade', (req, socket) => {
    note(req, '')
    const { status, to } = redirect ?? { status: 404, to: '/' }
    socket.end(`HTTP/1.1 ${status} Elsewhere\r\nlocation: ${to.replace(/^http/, 'ws')}\r\ncontent-length: 0\r\n\r\n`)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server always has an AddressInfo once it listens.
  const bound = (server.address() as AddressInfo).port
  const origin = `http://${address.includes(':') ? `[${address}]` : address}:${bound}`
  return { origin, port: bound, seen }
}

/** What a row of a table has counted. */
interface Row {
  tries: number
  'reached the agent': number
  'sent elsewhere': number
  'secrets elsewhere': number
}

const newRow = (): Row => ({ tries: 0, 'reached the agent': 0, 'sent elsewhere': 0, 'secrets elsewhere': 0 })

/** The platform's fetch, which notes where it goes and stays on loopback. */
function notingFetch(): { readonly fetch: Fetch; readonly origins: Set<string> } {
  const origins = new Set<string>()
  return {
    origins,
    fetch: async (url, init) => {
      const { origin, hostname } = new URL(url)
      origins.add(origin)
      if (!['127.0.0.1', '[::1]', 'localhost'].includes(hostname)) throw new TypeError('It left loopback.')
      return fetch(url, init)
    },
  }
}

/** Asks in a chat. */
async function ask(client: AgentClient<never, never> | object): Promise<void> {
  // Clients of all protocols.
  const chat = createChat({
    client: () => client as AgentClient,
    conversationId: '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a20',
  })
  await chat.sendMessage(QUESTION)
  const { error } = chat.getSnapshot()
  if (error !== undefined) throw error
}

/** Asks for the rest of a run, as after a dropped connection. */
async function resume<Request>(protocol: AgentProtocol<Request>, request: Request): Promise<void> {
  const opening: Opening<Request> = {
    request,
    requestId: REQUEST_ID,
    attempt: 1,
    cursors: [],
    handle: undefined,
    signal: new AbortController().signal,
    wait: async () => undefined,
  }
  for await (const _ of protocol.open(opening)) continue
}

const ONE_TRY = { ...CREDENTIALS, retry: AT_ONCE, maxRetries: 0 }

/** Each request of each client that carries a credential. */
const REQUESTS: Readonly<Record<string, (base: string, fetch: Fetch) => Promise<unknown>>> = {
  'CAP: assist': (baseUrl, fetch) => ask(new CapClient({ baseUrl, fetch, ...ONE_TRY })),
  'CAP: health': (baseUrl, fetch) => new CapClient({ baseUrl, fetch, ...ONE_TRY }).health(),
  'AG-UI: run': (base, fetch) => ask(new AgUiClient({ url: `${base}/run`, fetch, ...ONE_TRY })),
  'AI SDK: chat': (base, fetch) => ask(new AiSdkClient({ api: `${base}/chat`, fetch, ...ONE_TRY })),
  'AG-UI: resume': (base, fetch) => {
    const { protocol } = new AgUiClient({ url: `${base}/run`, fetch, ...ONE_TRY })
    const body = {
      protocolVersion: '1.0',
      threadId: 't',
      runId: REQUEST_ID,
      messages: [],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    } as const
    return resume(protocol, { body, answered: {}, results: 0 })
  },
  'AI SDK: resume': (base, fetch) => {
    const { protocol } = new AiSdkClient({ api: `${base}/chat`, fetch, ...ONE_TRY })
    return resume(protocol, { chatId: 'c1', body: {}, answerIds: [] })
  },
  'A2A: SendMessage': (base, fetch) => A2AClient.fromUrl(`${base}/a2a`, { fetch, ...ONE_TRY }).sendMessage(QUESTION),
  'A2A: stream': (base, fetch) => ask(A2AClient.fromUrl(`${base}/a2a`, { fetch, ...ONE_TRY })),
  'A2A: HTTP+JSON, GET': (base, fetch) =>
    new A2AClient({ transport: httpJsonTransport({ url: `${base}/a2a`, fetch, ...CREDENTIALS }) }).getTask('t1'),
  'A2A: HTTP+JSON, DELETE': (base, fetch) =>
    new A2AClient({
      transport: httpJsonTransport({ url: `${base}/a2a`, fetch, ...CREDENTIALS }),
    }).deletePushNotificationConfig('t1', 'c1'),
  'A2A 0.3: message/send': (base, fetch) =>
    new A2AClient({ transport: jsonRpcV03Transport({ url: `${base}/a2a`, fetch, ...CREDENTIALS }) }).sendMessage(
      QUESTION,
    ),
  'A2A: card resolver': (base, fetch) => new AgentCardResolver({ fetch, ...CREDENTIALS }).resolve(base),
}

const sum = (rows: readonly Row[], column: keyof Row): number => rows.reduce((total, row) => total + row[column], 0)

/** Shows the table, and holds it to its promise. */
function conclude(name: string, table: Readonly<Record<string, Row>>): void {
  console.table(table)
  const rows = Object.values(table)
  console.log(
    `${name}: ${sum(rows, 'tries')} tries, ${sum(rows, 'sent elsewhere')} requests and ${sum(rows, 'secrets elsewhere')} secrets elsewhere`,
  )
  expect([sum(rows, 'sent elsewhere'), sum(rows, 'secrets elsewhere')]).toEqual([0, 0])
}

async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return 'resolved'
  } catch (error) {
    return error
  }
}

/** Three other origins on loopback: another port, another name of the host, and its address of IPv6 where the machine has one. */
async function otherHosts(): Promise<readonly Host[]> {
  const { port, seen } = await host()
  const hosts = [await host(), { origin: `http://localhost:${port}`, port, seen }]
  const six = await host({ address: '::1' }).catch(() => undefined)
  return six === undefined ? hosts : [...hosts, six]
}

describe('a redirect of an agent', () => {
  it.each(STATUSES)(
    '%i gives no other host a request, and is followed to its own where the method stays',
    async (status) => {
      const table: Record<string, Row> = {}
      const others = await otherHosts()
      for (const [name, request] of Object.entries(REQUESTS)) {
        const row = newRow()
        const isGet = name.includes('GET') || /health|resolver|resume/.test(name)
        const own = await host({ redirect: { status, to: '/landed' } })
        const noted = notingFetch()
        await outcomeOf(request(own.origin, noted.fetch))
        row['reached the agent'] = own.seen.filter(({ url, hasSecret }) => url === '/landed' && hasSecret).length
        expect(row['reached the agent'] > 0, name).toBe(isGet || status === 307 || status === 308)
        const redirect: Redirect = { status, to: '' }
        const agent = await host({ redirect })
        for (const to of [...others.map(({ origin }) => `${origin}/landed`), ...PRIVATE]) {
          redirect.to = to
          const { fetch, origins } = notingFetch()
          const error = await outcomeOf(request(agent.origin, fetch))
          row.tries += 1
          row['sent elsewhere'] += [...origins].filter((origin) => origin !== agent.origin).length
          expect(error, `${name} -> ${to}`).toMatchObject({ code: 'http_error', severity: 'FATAL', status })
        }
        const misled = others.flatMap(({ seen }) => seen.splice(0))
        row['sent elsewhere'] += misled.length
        row['secrets elsewhere'] += misled.filter(({ hasSecret }) => hasSecret).length
        table[name] = row
      }
      conclude(`redirect ${status}`, table)
    },
  )
})

describe('a URL that is not of HTTP', () => {
  it('is asked by no client', async () => {
    for (const [name, request] of Object.entries(REQUESTS)) {
      for (const url of PRIVATE.filter((each) => !each.startsWith('http'))) {
        const asked: string[] = []
        const error = await outcomeOf(
          request(url, async (at) => {
            asked.push(at)
            return new Response('{}', { headers: { 'content-type': 'application/json' } })
          }),
        )
        expect(error, `${name}: ${url}`).toMatchObject({ code: 'invalid_config' })
        expect(asked, `${name}: ${url}`).toEqual([])
      }
    }
  })
})

describe('the card of an agent', () => {
  const BINDINGS = {
    JSONRPC: ['JSONRPC', '1.0'],
    'HTTP+JSON': ['HTTP+JSON', '1.0'],
    'JSONRPC 0.3': ['JSONRPC', '0.3.0'],
  } as const
  const bindings = { 'HTTP+JSON': httpJsonTransport, 'JSONRPC 0.3': jsonRpcV03Transport }
  const cardOf = (url: string, [protocolBinding, protocolVersion]: readonly [string, string]): object => ({
    name: 'Rivers',
    supportedInterfaces: [{ url, protocolBinding, protocolVersion }],
    capabilities: { streaming: true },
  })

  it('gives its own origin alone key, headers and message, whatever interface it names', async () => {
    const table: Record<string, Row> = {}
    for (const [name, binding] of Object.entries(BINDINGS)) {
      const row = newRow()
      const try_ = async (agent: Host, origins?: readonly string[]): Promise<unknown> => {
        const { fetch, origins: gone } = notingFetch()
        const card = await new AgentCardResolver({ fetch, ...CREDENTIALS }).resolve(agent.origin)
        const work = async (): Promise<unknown> =>
          A2AClient.fromAgentCard(card, { bindings, fetch, origins, ...ONE_TRY }).sendMessage(QUESTION)
        const error = await outcomeOf(work())
        row.tries += 1
        if (origins === undefined) row['sent elsewhere'] += [...gone].filter((each) => each !== agent.origin).length
        return error
      }
      for (const path of ['/a2a', 'own']) {
        const own = await host({ card: (origin) => cardOf(path === 'own' ? `${origin}/a2a` : path, binding) })
        await try_(own)
        row['reached the agent'] += own.seen.filter(({ url, hasSecret }) => url.startsWith('/a2a') && hasSecret).length
      }
      const own = await host({ card: () => cardOf(`${aim}/a2a`, binding) })
      let aim = ''
      const others = await otherHosts()
      for (const other of others) {
        aim = other.origin
        const error = await try_(own)
        expect(error, name).toMatchObject({ code: 'invalid_config', message: expect.stringContaining(`"${aim}/a2a"`) })
        row['secrets elsewhere'] += other.seen.filter(({ hasSecret }) => hasSecret).length
      }
      for (const url of PRIVATE) {
        const agent = await host({ card: () => cardOf(url, binding) })
        expect(await try_(agent), `${name}: ${url}`).toMatchObject({ code: 'invalid_config' })
      }
      // Userinfo and paths that begin with two slashes look like the own origin and are not.
      for (const url of [
        own.origin.replace('://', '://x@').replace('127.0.0.1', 'other.test'),
        '//other.test/a2a',
        '/\\other.test/a2a',
      ]) {
        const agent = await host({ card: () => cardOf(url, binding) })
        expect(await try_(agent), `${name}: ${url}`).toMatchObject({ code: 'invalid_config' })
      }
      table[name] = row
      expect(row['reached the agent'], name).toBe(2)
      // The app may name another origin: that one is reached, and no third.
      const [named] = others
      if (named === undefined) throw new Error('There is another host.')
      aim = named.origin
      expect(await try_(own, [`${named.origin}/`])).toMatchObject({ code: 'not_found' })
      expect(named.seen.filter(({ hasSecret }) => hasSecret)).toHaveLength(1)
      expect(await try_(own, ['https://third.example'])).toMatchObject({ code: 'invalid_config' })
    }
    conclude('card', table)
  })

  it('that no resolver gave has no origin outside of a page: the app names it', async () => {
    const own = await host()
    // A card that was stored as JSON, for instance.
    const card = {
      name: 'Rivers',
      supportedInterfaces: [{ url: `${own.origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    }
    expect(() => A2AClient.fromAgentCard(card, CREDENTIALS)).toThrow(
      expect.objectContaining({ code: 'invalid_config' }),
    )
    const client = A2AClient.fromAgentCard(card, { origins: [own.origin], ...CREDENTIALS })
    await outcomeOf(client.sendMessage(QUESTION))
    expect(own.seen).toMatchObject([{ url: '/a2a', hasSecret: true }])
  })

  it('with interfaces on several origins leads to the one on its own', async () => {
    const other = await host()
    const own = await host({
      card: (origin) => ({
        name: 'Rivers',
        supportedInterfaces: [
          { url: `${other.origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        ],
      }),
    })
    const card = await new AgentCardResolver().resolve(own.origin)
    await outcomeOf(A2AClient.fromAgentCard(card, CREDENTIALS).sendMessage(QUESTION))
    expect([own.seen.length, other.seen.length]).toEqual([2, 0])
  })
})

describe('a proxy', () => {
  const WIRES: Readonly<Record<string, [Partial<AgentProxyOptions>, () => Request]>> = {
    'CAP: assist': [{}, () => postRequest('http://app.example/assist', { query: QUESTION })],
    'CAP: with a log': [{ log: memoryEventLog() }, () => postRequest('http://app.example/assist', { query: QUESTION })],
    'CAP: health': [{}, () => new Request('http://app.example/health')],
    'CAP: cancel': [{}, () => postRequest(`http://app.example/runs/${REQUEST_ID}/cancel`, { body: '{}' })],
    'AG-UI': [
      { wire: 'ag-ui' },
      () =>
        postRequest('http://app.example/agent', {
          body: JSON.stringify({ threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: QUESTION }] }),
        }),
    ],
    'AI SDK': [
      { wire: 'ai-sdk' },
      () =>
        postRequest('http://app.example/chat', {
          body: JSON.stringify({
            id: 'c',
            messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: QUESTION }] }],
          }),
        }),
    ],
  }

  it('follows no redirect of its upstream, within its origin neither', async () => {
    const table: Record<string, Row> = {}
    for (const [name, [options, request]] of Object.entries(WIRES)) {
      const row = newRow()
      const others = await otherHosts()
      for (const status of STATUSES) {
        const redirect: Redirect = { status, to: '' }
        const agent = await host({ redirect })
        for (const to of [...others.map(({ origin }) => origin), ...PRIVATE, '/landed']) {
          redirect.to = to
          const { fetch, origins } = notingFetch()
          const proxy = createAgentProxy({
            upstream: `${agent.origin}/up`,
            headers: { authorization: `Bearer ${KEY}`, 'x-api-key': HEADER },
            authorize: () => 'ann',
            fetch,
            onError: () => undefined,
            ...options,
            ...(options.log && { log: memoryEventLog() }),
          })
          const answer = await (await proxy(request())).text()
          row.tries += 1
          const seen = agent.seen.splice(0)
          row['reached the agent'] += seen.filter(({ hasSecret }) => hasSecret).length
          row['sent elsewhere'] += [...origins].filter((origin) => origin !== agent.origin).length
          row['sent elsewhere'] += seen.filter(({ url }) => url === '/landed').length
          expect(answer, name).not.toMatch(SECRETS)
        }
      }
      const misled = others.flatMap(({ seen }) => seen)
      row['sent elsewhere'] += misled.length
      row['secrets elsewhere'] += misled.filter(({ hasSecret }) => hasSecret).length
      table[name] = row
      expect(row['reached the agent'], name).toBe(row.tries)
    }
    conclude('proxy', table)
  })
})

describe('a WebSocket', () => {
  it('follows no redirect of its handshake', async () => {
    const table: Record<string, Row> = {}
    const clients: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
      ARCP: async (url) => {
        const transport = webSocketTransport({ url: url.replace('http', 'ws'), WebSocket })
        const arcp = new ArcpClient({
          transport,
          auth: { scheme: 'bearer', token: KEY },
          maxRetries: 0,
          retry: AT_ONCE,
        })
        await arcp.invoke('ask', { text: QUESTION }).result.finally(() => arcp.close())
      },
      CAP: (baseUrl) =>
        ask(
          new CapClient({
            baseUrl,
            transport: webSocket({ WebSocket }),
            ...CREDENTIALS,
            maxRetries: 0,
            retry: AT_ONCE,
          }),
        ),
    }
    for (const [name, connect] of Object.entries(clients)) {
      const row = newRow()
      for (const status of STATUSES) {
        const others = await otherHosts()
        for (const { origin } of others) {
          const agent = await host({ redirect: { status, to: `${origin}/landed` } })
          await outcomeOf(connect(agent.origin))
          row.tries += 1
          row['reached the agent'] += agent.seen.length > 0 ? 1 : 0
        }
        row['sent elsewhere'] += others.flatMap(({ seen }) => seen).length
        row['secrets elsewhere'] += others.flatMap(({ seen }) => seen.filter(({ hasSecret }) => hasSecret)).length
      }
      table[name] = row
      expect(row['reached the agent'], name).toBe(row.tries)
    }
    conclude('WebSocket', table)
  })
})
