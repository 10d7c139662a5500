import { gzipSync } from 'node:zlib'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { AgentError } from '../../../src/base/agent-error.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { systemClock, type Clock } from '../../../src/base/ports/clock.ts'
import { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import { createChat } from '../../../src/state/chat.ts'
import type { MessagePart } from '../../../src/state/turn.ts'
import { AT_ONCE } from '../../faults/meet.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { post, REQUEST_ID } from '../peer.ts'
import { serveBytes, serveProxy } from '../serve-proxy.ts'

// Each row is an upstream that breaks HTTP or CAP in its own way, as bytes on a real socket. The page gets a typed error or a broken
// connection, never a complete answer, and no connection stays open.

const OFTEN = { interval: 2 }
const EVENTS = 'content-type: text/event-stream\r\n'
const JSON_TYPE = 'content-type: application/json\r\n'
const STREAM = '6d0b3f0e-9c4e-4d62-8a51-1f3c2b7a9e55'
const packet = (seq: number, op: string, p: unknown): string =>
  `id: ${STREAM}\ndata: ${JSON.stringify({ stream_id: STREAM, seq, op, t: '2026-03-01T08:15:00Z', p })}\n\n`
const RIVERS = packet(1, 'DELTA', 'Rivers ')
const CLOSE = packet(3, 'CLOSE', null)
const ok = (headers: string, body = ''): string => `HTTP/1.1 200 OK\r\n${headers}\r\n${body}`
const answer = (output: string): string =>
  `{"request_id":"${REQUEST_ID}","created_at":"2026-03-01T08:15:00Z","output":${output}}`
const withLength = (body: string, length = Buffer.byteLength(body)): string =>
  ok(`${JSON_TYPE}content-length: ${length}\r\n`, body)

const says =
  (bytes: string | Uint8Array) =>
  (socket: Socket): void =>
    void socket.end(bytes)
/** Says something, and then the same piece for as long as somebody reads. */
const saysForever =
  (head: string, piece: string) =>
  (socket: Socket): void => {
    socket.write(head)
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', more)
    more()
  }

const INVALID = ['502 upstream_invalid', 'unexpected_content_type'] as const
const UNREACHABLE = ['502 upstream_unreachable', 'network_error'] as const
const CUT_OFF = ['502 upstream_unreachable', 'truncated'] as const
const LATE = ['504 upstream_timeout', 'timeout'] as const

/** Before anything was answered. */
const REFUSED: readonly (readonly [
  upstream: string,
  respond: (socket: Socket) => void,
  seen: readonly [page: string, operator: string],
])[] = [
  ['packets as a page', says(ok('content-type: text/html\r\n', RIVERS)), INVALID],
  ['packets of no type', says(ok('', RIVERS)), INVALID],
  ['packets of a type that begins alike', says(ok('content-type: text/event-stream-x\r\n', RIVERS)), INVALID],
  // The last of several types counts (Fetch, "extract a MIME type").
  ['packets of two types', says(ok(`content-type: text/event-stream, text/html\r\n`, RIVERS)), INVALID],
  ['a login page', says(ok('content-type: text/html; charset=utf-8\r\n', '<html>Sign in')), INVALID],
  ['200 without a body', says(ok(`${JSON_TYPE}content-length: 0\r\n`)), INVALID],
  ['204', says('HTTP/1.1 204 No Content\r\n\r\n'), INVALID],
  ['205', says('HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n'), INVALID],
  ['206 of a page', says('HTTP/1.1 206 Partial Content\r\ncontent-type: text/html\r\n\r\nx'), INVALID],
  ['304', says('HTTP/1.1 304 Not Modified\r\n\r\n'), ['502 upstream_invalid', 'http_error']],
  ['JSON that is an array', says(withLength('[]')), INVALID],
  ['JSON of another request', says(withLength(answer('{}'))), INVALID],
  [
    'JSON nested 100,000 levels deep',
    says(withLength(answer(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`))),
    INVALID,
  ],
  ['JSON longer than the limit', saysForever(ok(JSON_TYPE), 'x'.repeat(65_536)), INVALID],
  ['JSON shorter than its length', says(withLength('{"request_id":', 1_000)), CUT_OFF],
  ['JSON longer than its length', says(withLength(answer('{}'), 10)), INVALID],
  ['JSON that claims to be gzip', says(ok(`${JSON_TYPE}content-encoding: gzip\r\n`, answer('{}'))), LATE],
  [
    'JSON that claims to be gzip, with a length',
    says(ok(`${JSON_TYPE}content-encoding: gzip\r\ncontent-length: 2\r\n`, '{}')),
    CUT_OFF,
  ],
  [
    'gzip that breaks off',
    says(
      Buffer.concat([
        Buffer.from(ok(`${JSON_TYPE}content-encoding: gzip\r\n`)),
        gzipSync(answer('{}')).subarray(0, 30),
      ]),
    ),
    INVALID,
  ],
  ['two lengths', says(ok(`${JSON_TYPE}content-length: 2\r\ncontent-length: 3\r\n`, '{}')), UNREACHABLE],
  ['a length that is negative', says(ok(`${JSON_TYPE}content-length: -1\r\n`, '{}')), UNREACHABLE],
  [
    'a length and chunks',
    says(ok(`${EVENTS}content-length: 5\r\ntransfer-encoding: chunked\r\n`, '5\r\n')),
    UNREACHABLE,
  ],
  ['a header of 1 MB', says(ok(`${EVENTS}x: ${'y'.repeat(1_000_000)}\r\n`)), UNREACHABLE],
  ['10,000 headers', says(ok(EVENTS + 'x: y\r\n'.repeat(10_000))), UNREACHABLE],
  ['headers that never end', saysForever('HTTP/1.1 200 OK\r\n', 'x: yyyyyyyyyyyyyyyyyy\r\n'), UNREACHABLE],
  ['headers that stop', (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/ev'), LATE],
  ['nothing', () => undefined, LATE],
  ['no final status', (socket) => void socket.write('HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n'), LATE],
  ['a connection that closes', (socket) => void socket.end(), UNREACHABLE],
  ['a connection that is reset', (socket) => void socket.resetAndDestroy(), UNREACHABLE],
  ['another protocol', says('SSH-2.0-OpenSSH_9.2\r\n'), UNREACHABLE],
  ['another HTTP', says('HTTP/2.0 200 OK\r\n\r\n'), INVALID],
  ['a status of four digits', says('HTTP/1.1 2000 OK\r\n\r\n'), UNREACHABLE],
  ['101', says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'), UNREACHABLE],
  ['500 without a body', says('HTTP/1.1 500 \r\ncontent-length: 0\r\n\r\n'), ['502 upstream_failed', 'http_error']],
  [
    '500 whose body never ends',
    saysForever(`HTTP/1.1 500 Oh\r\n${JSON_TYPE}\r\n`, 'x'.repeat(65_536)),
    ['502 upstream_failed', 'http_error'],
  ],
  [
    '500 whose body stops',
    (socket) => void socket.write(`HTTP/1.1 500 Oh\r\n${JSON_TYPE}content-length: 9\r\n\r\n{`),
    ['502 upstream_failed', 'http_error'],
  ],
  [
    '500 that claims to be gzip',
    says('HTTP/1.1 500 Oh\r\ncontent-encoding: gzip\r\n\r\n{}'),
    ['502 upstream_failed', 'http_error'],
  ],
  [
    '429 that asks for a wait of years',
    says('HTTP/1.1 429 No\r\nretry-after: 99999999999999999999\r\ncontent-length: 0\r\n\r\n'),
    ['429 rate_limited', 'rate_limited'],
  ],
  [
    '503 that asks for a wait that is none',
    says('HTTP/1.1 503 No\r\nretry-after: -5, soon\r\ncontent-length: 0\r\n\r\n'),
    ['503 upstream_unavailable', 'http_error'],
  ],
]

describe.each([
  ['without a log', undefined],
  ['with a log', memoryEventLog],
])('an upstream that lies to a proxy %s', (_name, log) => {
  it.each(REFUSED)('is refused with a typed error: %s', async (_upstream, respond, seen) => {
    const upstream = await serveBytes(respond)
    const clock = createManualClock()
    const { url, errors } = await serveProxy(upstream.origin, { clock, log: log?.() })
    let response: Response | undefined
    const asked = post(url).then((settled) => (response = settled))
    await expect.poll(() => upstream.requests, OFTEN).toBe(1)
    await expect
      .poll(() => {
        void clock.advance(10_000)
        return response
      }, OFTEN)
      .toBeDefined()
    const { code } = (await (await asked).json()) as { code: string }
    expect([`${response?.status} ${code}`, errors]).toEqual([seen[0], [expect.any(AgentError)]])
    expect(errors).toMatchObject([{ code: seen[1] }])
    const wait = response?.headers.get('retry-after') ?? '0'
    expect(Number(wait)).toBeGreaterThanOrEqual(0)
    expect(Number(wait)).toBeLessThan(100_000)
    await expect.poll(() => upstream.open, OFTEN).toBe(0)
  })
})

it.each([301, 302, 303, 307, 308])(
  'a redirect with status %i to another origin is not followed, by no path of the proxy',
  async (status) => {
    const elsewhere = await serveBytes(says(ok(`${JSON_TYPE}content-length: 2\r\n`, '{}')))
    const redirect = `HTTP/1.1 ${status} Elsewhere\r\nlocation: ${elsewhere.origin}/v1/assist\r\ncontent-length: 0\r\n\r\n`
    const upstream = await serveBytes(says(redirect))
    const { url, origin } = await serveProxy(upstream.origin)
    const command = { headers: { 'x-user': 'ann' }, body: '{}' }
    const statuses = [
      (await post(url)).status,
      (await post(`${origin}/api/runs/${REQUEST_ID}/cancel`, command)).status,
      (await fetch(`${origin}/api/health`)).status,
    ]
    expect(statuses).toEqual([502, 502, 502])
    expect([upstream.requests, elsewhere.requests]).toEqual([3, 0])
  },
)

/** What the upstream says on each of its connections; the last one repeats. */
type Connections = readonly [string, ...string[]]

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const OPEN = ok(EVENTS)
const OPEN_CHUNKED = ok(`${EVENTS}transfer-encoding: chunked\r\n`)
const MEANDER = packet(2, 'DELTA', 'meander.')
const OTHER_STREAM = '0f8b6c1e-3f5a-4c0b-8a77-2d9e1b6c4f10'
const WHOLE = 'complete Rivers meander., no error'
/** A packet that was left out is marked where it is missing. */
const GAP = 'complete Rivers [gap], no error'
const bothShow = (shown: string): Shown => ({ bare: shown, logged: shown })
/** Without a log the client gives the run up, with the last error that it met. */
const lost = (code: string): Shown => ({ bare: `incomplete Rivers , ${code}`, logged: 'failed Rivers , upstream_lost' })

interface Shown {
  readonly bare: string
  readonly logged: string
}

/** After the first packet. What the page shows at the end, of the words `Rivers meander.` */
const STREAMS: readonly (readonly [upstream: string, connections: Connections, shown: Shown])[] = [
  ['repeats packets', [OPEN + RIVERS + RIVERS + MEANDER + MEANDER + CLOSE], bothShow(WHOLE)],
  [
    'goes back and emits other words under the same numbers',
    [OPEN + RIVERS + MEANDER + packet(1, 'DELTA', 'Lies ') + packet(2, 'DELTA', 'lie.') + CLOSE],
    bothShow(WHOLE),
  ],
  ['continues after CLOSE', [OPEN + RIVERS + MEANDER + CLOSE + packet(4, 'DELTA', ' Lies.')], bothShow(WHOLE)],
  ['leaves a packet out', [OPEN + RIVERS + CLOSE], bothShow(GAP)],
  ['ends without CLOSE', [OPEN + RIVERS], lost('truncated')],
  ['ends without CLOSE, once', [OPEN + RIVERS, OPEN + MEANDER + CLOSE], bothShow(WHOLE)],
  ['ends within a packet', [OPEN + RIVERS + MEANDER.slice(0, -30)], lost('truncated')],
  ['is shorter than its length', [ok(`${EVENTS}content-length: 5000\r\n`, RIVERS)], lost('network_error')],
  [
    'is longer than its length',
    [ok(`${EVENTS}content-length: ${RIVERS.length}\r\n`, RIVERS + MEANDER + CLOSE)],
    lost('truncated'),
  ],
  ['has a chunk of a wrong length', [OPEN_CHUNKED + chunk(RIVERS) + `3\r\n${MEANDER}`], lost('network_error')],
  [
    'has a chunk whose length is not a number',
    [OPEN_CHUNKED + chunk(RIVERS) + `zz\r\n${MEANDER}`],
    lost('network_error'),
  ],
  [
    'begins the run again as another stream',
    [OPEN + RIVERS, OPEN + (RIVERS + MEANDER + CLOSE).replaceAll(STREAM, OTHER_STREAM)],
    { bare: WHOLE, logged: 'failed Rivers , upstream_restarted' },
  ],
  [
    'emits other words on the next connection',
    [OPEN + RIVERS, OPEN + packet(1, 'DELTA', 'Lies ') + MEANDER + CLOSE],
    bothShow(WHOLE),
  ],
  [
    'becomes a page on the next connection',
    [OPEN + RIVERS, ok('content-type: text/html\r\n', '<html>')],
    lost('upstream_invalid'),
  ],
  [
    'becomes JSON on the next connection',
    [OPEN + RIVERS, withLength(answer('{"text":"Lies."}'))],
    lost('upstream_invalid'),
  ],
  [
    'redirects on the next connection',
    [OPEN + RIVERS, 'HTTP/1.1 307 Go\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n'],
    lost('upstream_invalid'),
  ],
]

/** Waits between attempts are left out, and limits of silence are not. */
const IMPATIENT: Clock = { ...systemClock, after: (ms, call) => systemClock.after(ms < 15_000 ? 0 : ms, call) }

const piece = (part: MessagePart): string => (part.type === 'text' ? part.text : `[${part.type}]`)

describe.each([
  ['without a log', 'bare'],
  ['with a log', 'logged'],
] as const)('a stream that lies through a proxy %s', (_name, kind) => {
  it.each(STREAMS)(
    'shows what the agent said, and is complete only with CLOSE: %s',
    async (_upstream, connections, shown) => {
      const upstream = await serveBytes((socket) => {
        socket.end(connections[Math.min(upstream.requests, connections.length) - 1] ?? '')
      })
      const log = kind === 'logged' ? memoryEventLog() : undefined
      const { origin } = await serveProxy(upstream.origin, { clock: IMPATIENT, log })
      const client = new CapClient({ baseUrl: `${origin}/api`, retry: { ...AT_ONCE, maxAttempts: 2 } })
      const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
      await chat.sendMessage('Why?')
      const { messages, error } = chat.getSnapshot()
      const answers = messages.filter(({ role }) => role === 'assistant')
      const seen = answers.map(({ status, parts }) => `${status} ${parts.map(piece).join('')}`)
      expect([...seen, error?.agentCode ?? error?.code ?? 'no error'].join(', ')).toBe(shown[kind])
      await chat.dispose()
      await expect.poll(() => upstream.open, OFTEN).toBe(0)
    },
  )
})
