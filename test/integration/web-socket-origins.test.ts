import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAgentHandler, toNodeListener, toNodeUpgradeListener } from '../../src/server.ts'
import { createArcpRuntime, toArcpUpgradeListener } from '../../src/arcp-runtime.ts'
import type { NodeUpgradeListener, WebSocketAcceptor } from '../../src/server/platforms/node-upgrade-listener.ts'
import { requestBody } from '../server/peer.ts'
import { serveUpgrades } from '../support/frame-agent.ts'

// Which pages get in over WebSockets, by the headers of the opening request as browsers write them.

interface Configuration {
  readonly origin?: string
  readonly origins?: readonly string[]
}

interface Listener {
  readonly name: string
  of(webSocketServer: WebSocketAcceptor, configuration: Configuration): NodeUpgradeListener
  /** The first frame of a caller. */
  readonly first: string
  readonly isIn: string
  readonly isOut: string
}

const LISTENERS: readonly Listener[] = [
  {
    name: 'CAP',
    of: (webSocketServer, configuration) =>
      toNodeUpgradeListener(createAgentHandler({ agent: async () => ({ output: { text: 'in' } }) }), {
        webSocketServer,
        ...configuration,
      }),
    first: JSON.stringify(requestBody()),
    isIn: '"text":"in"',
    isOut: '"origin_refused"',
  },
  {
    name: 'ARCP',
    of(webSocketServer, configuration) {
      const runtime = createArcpRuntime({ tools: {}, auth: { none: true }, mayAccess: () => true })
      onTestFinished(() => runtime.close())
      return toArcpUpgradeListener(runtime, { webSocketServer, ...configuration })
    },
    first: JSON.stringify({
      arcp: '1.0',
      id: 'msg_1',
      type: 'session.open',
      timestamp: '2026-03-01T08:15:00Z',
      payload: { auth: { scheme: 'none' }, client: { kind: 'test', version: '1' }, capabilities: { anonymous: true } },
    }),
    isIn: '"session.accepted"',
    // The close code 4403.
    isOut: '\x88\x02\x11\x33',
  },
]

const APP = 'https://app.example'
const IN = 'gets in'
const OUT = 'is refused'

/** `HOST` stands for the host and port of the server. */
const ROWS: readonly (readonly [
  page: string,
  headers: readonly string[],
  bare: string,
  listed: string,
  behind: string,
])[] = [
  ['no page', [], IN, IN, IN],
  ['a page of the server', ['Origin: http://HOST'], IN, IN, OUT],
  ['a page of the server, over https', ['Origin: https://HOST'], OUT, OUT, OUT],
  ['a page of another port', ['Origin: http://127.0.0.1:1'], OUT, OUT, OUT],
  ['a page of the default port', ['Origin: http://127.0.0.1'], OUT, OUT, OUT],
  ['a page of another name of the machine', ['Origin: http://localhost:1'], OUT, OUT, OUT],
  ['another page', ['Origin: https://evil.example'], OUT, OUT, OUT],
  ['a sandboxed page', ['Origin: null'], OUT, OUT, OUT],
  ['an empty origin', ['Origin: '], OUT, OUT, OUT],
  ['a file', ['Origin: file://'], OUT, OUT, OUT],
  ['a page that is named', [`Origin: ${APP}`], OUT, IN, IN],
  ['its name in upper case', ['Origin: https://APP.example'], OUT, OUT, OUT],
  ['its scheme in upper case', ['Origin: HTTPS://app.example'], OUT, OUT, OUT],
  ['its default port', [`Origin: ${APP}:443`], OUT, OUT, OUT],
  ['another port of it', [`Origin: ${APP}:8443`], OUT, OUT, OUT],
  ['its name with a dot at the end', [`Origin: ${APP}.`], OUT, OUT, OUT],
  ['its origin with a slash at the end', [`Origin: ${APP}/`], OUT, OUT, OUT],
  ['it over http', ['Origin: http://app.example'], OUT, OUT, OUT],
  ['a page below it', ['Origin: https://evil.app.example'], OUT, OUT, OUT],
  ['a page that begins with it', [`Origin: ${APP}.evil.example`], OUT, OUT, OUT],
  ['a page that ends with it', ['Origin: https://evilapp.example'], OUT, OUT, OUT],
  ['it as a user', [`Origin: ${APP}@evil.example`], OUT, OUT, OUT],
  ['two origins in one header', [`Origin: ${APP} https://evil.example`], OUT, OUT, OUT],
  ['two headers', ['Origin: https://evil.example', `Origin: ${APP}`], OUT, OUT, OUT],
  [
    'another page that names the server as its own',
    ['Origin: https://evil.example', 'X-Forwarded-Host: evil.example'],
    OUT,
    OUT,
    OUT,
  ],
  ['no origin, from another site', ['Sec-Fetch-Site: cross-site'], OUT, OUT, OUT],
  ['no origin, from the same site', ['Sec-Fetch-Site: same-site'], OUT, OUT, OUT],
  ['no origin, from the address bar', ['Sec-Fetch-Site: none'], IN, IN, IN],
  [
    'a page of the server behind a proxy that ends TLS',
    ['Origin: https://other.example', 'Sec-Fetch-Site: same-origin'],
    IN,
    IN,
    IN,
  ],
]

const CONFIGURATIONS = {
  'with nothing set': {},
  'with the page in origins': { origins: [APP] },
  'with the page as its own origin': { origin: APP },
} satisfies Record<string, Configuration>

/** A frame of text from a client, masked with zeros. */
function clientFrame(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.from([0xfe, 0, 0])
  length.writeUInt16BE(bytes.byteLength, 1)
  return Buffer.concat([Buffer.from([0x81]), length, Buffer.alloc(4), bytes])
}

/** Opens a connection with these headers, makes a request, and reads until the answer is one that is expected. */
async function open(listener: Listener, port: number, headers: readonly string[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  const all = ['Host: HOST', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', ...headers]
  const head = ['GET /v1/assist HTTP/1.1', ...all, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='].join('\r\n')
  socket.write(`${head.replaceAll('HOST', `127.0.0.1:${port}`)}\r\n\r\n`)
  socket.write(clientFrame(listener.first))
  let seen = ''
  for await (const bytes of socket) {
    seen += Buffer.from(bytes as Uint8Array).toString('latin1')
    if (seen.includes(listener.isIn)) return IN
    if (seen.includes(listener.isOut)) return OUT
  }
  return `closed after ${JSON.stringify(seen)}`
}

describe.each(LISTENERS)('over WebSockets of $name', (listener) => {
  describe.each(Object.entries(CONFIGURATIONS))('%s', (_name, configuration: Configuration) => {
    it.each(ROWS)('%s', async (_page, headers, bare, listed, behind) => {
      const expected = configuration.origins ? listed : configuration.origin === undefined ? bare : behind
      const { origin } = await serveUpgrades((webSocketServer) => listener.of(webSocketServer, configuration))
      expect(await open(listener, Number(new URL(origin).port), headers)).toBe(expected)
    })
  })

  it.each([
    ['null', { origins: ['null'] }],
    ['a wildcard', { origins: ['*'] }],
    ['a wildcard in a name', { origins: ['https://*.example'] }],
    ['a path', { origins: [`${APP}/`] }],
    ['upper case, which no browser sends', { origins: ['https://App.example'] }],
    ['a default port, which no browser sends', { origins: [`${APP}:443`] }],
    ['text in place of a list', { origins: APP as unknown as readonly string[] }],
    ['an own origin without a scheme', { origin: 'app.example' }],
    ['an own origin that has none', { origin: 'data:text/html,x' }],
  ] satisfies [string, Configuration][])('a configuration with %s is refused', (_name, configuration) => {
    const acceptor: WebSocketAcceptor = { handleUpgrade: () => undefined }
    expect(() => listener.of(acceptor, configuration)).toThrow(expect.objectContaining({ code: 'invalid_config' }))
  })
})

it('an own origin that is not an address is refused over HTTP as well', () => {
  const handler = createAgentHandler({ agent: async () => {} })
  expect(() => toNodeListener(handler, { origin: 'app.example' })).toThrow(
    expect.objectContaining({ code: 'invalid_config' }),
  )
})
