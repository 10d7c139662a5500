import { beforeEach, describe, expect, it, vi } from 'vitest'

/** How often the code of rare packets was fetched, and how often that fails. */
const code = { asked: 0, fail: 0 }

beforeEach(() => {
  vi.resetModules()
  Object.assign(code, { asked: 0, fail: 0 })
  vi.doMock('../../../src/protocols/cap/rare-packets.ts', async (original) => {
    code.asked += 1
    if (code.asked <= code.fail) throw new TypeError('Failed to fetch dynamically imported module')
    return original()
  })
})

const STREAM = '6f1c6cf0-1111-4222-8333-444455556666'

const packet = (seq: number, op: string, p: unknown): string =>
  `data: ${JSON.stringify({ stream_id: STREAM, seq, t: '2026-03-01T08:15:00Z', op, p })}\n\n`

const EVENT = packet(2, 'EVENT', {
  id: '6f1c6cf0-1111-4222-8333-444455556667',
  timestamp: '2026-03-01T08:15:00Z',
  type: 'THOUGHT_TRACE',
  data: { thought: 'Rivers.' },
})
const WITH_EVENT = [packet(1, 'DELTA', 'a'), EVENT, packet(3, 'DELTA', 'b'), packet(4, 'CLOSE', 'done')]

/** What each request asked to continue after. */
const askedBehind: (string | null)[] = []

/** What a client reads of these bodies, one connection after the other: texts, and the ops of the rest. */
async function read(...bodies: readonly (readonly string[])[]): Promise<readonly string[]> {
  const { CapClient } = await import('../../../src/protocols/cap/client/cap-client.ts')
  const { backoff } = await import('../../../src/base/backoff.ts')
  const left = [...bodies]
  askedBehind.length = 0
  const fetch = async (_url: string, { headers }: RequestInit): Promise<Response> => {
    askedBehind.push(new Headers(headers).get('last-event-id'))
    // From the second connection on it can be fetched.
    if (askedBehind.length > 1) code.fail = 0
    const body = left.shift()
    if (body === undefined) throw new TypeError('Failed to fetch')
    return new Response(body.join(''), { headers: { 'content-type': 'text/event-stream' } })
  }
  const retry = backoff({ baseMs: 1, capMs: 1, maxAttempts: 3 })
  const client = new CapClient({ baseUrl: 'https://agent.example', fetch, retry })
  const requestId = crypto.randomUUID()
  const request = await client.createRequest({ conversationId: crypto.randomUUID(), requestId, text: 'Why?' })
  const found: string[] = []
  for await (const { op, p } of client.assist(request)) found.push(op === 'DELTA' ? p : op)
  expect(left).toEqual([])
  return found
}

describe('the code of rare packets', () => {
  it('is not needed by an answer of text, also where it cannot be fetched', async () => {
    code.fail = Infinity
    expect(await read([packet(1, 'DELTA', 'a'), packet(2, 'DELTA', 'b'), packet(3, 'CLOSE', 'done')])).toEqual([
      'a',
      'b',
      'CLOSE',
    ])
  })

  it('is fetched when the client is made, and with the first request where that failed', async () => {
    code.fail = 1
    const { CapClient } = await import('../../../src/protocols/cap/client/cap-client.ts')
    const fetch = () => new Promise<Response>(() => {})
    const client = new CapClient({ baseUrl: 'https://agent.example', fetch })
    await expect.poll(() => code.asked).toBe(1)
    void client.chat('Why?')[Symbol.asyncIterator]().next()
    await expect.poll(() => code.asked).toBe(2)
  })

  it('is fetched once, and packets keep their order', async () => {
    expect(await read(WITH_EVENT)).toEqual(['a', 'EVENT', 'b', 'CLOSE'])
    expect(code.asked).toBe(1)
  })

  it('that cannot be fetched drops the connection, and the next one continues after what was read', async () => {
    code.fail = Infinity
    expect(await read(WITH_EVENT, WITH_EVENT)).toEqual(['a', 'EVENT', 'b', 'CLOSE'])
    expect(askedBehind).toHaveLength(2)
  })

  it('that cannot be fetched leaves the rest of its chunk unread: the server is asked for that again', async () => {
    code.fail = Infinity
    const numbered = WITH_EVENT.map((frame, at) => `id: ${STREAM}/${at + 1}\n${frame}`)
    expect(await read(numbered, numbered.slice(1))).toEqual(['a', 'EVENT', 'b', 'CLOSE'])
    expect(askedBehind).toEqual([null, `${STREAM}/1`])
  })
})

describe('health()', () => {
  it('fetches its code when it is asked first, and again where that failed', async () => {
    const health = { asked: 0 }
    vi.doMock('../../../src/protocols/cap/rare-requests.ts', async (original) => {
      health.asked += 1
      if (health.asked === 1) throw new TypeError('Failed to fetch dynamically imported module')
      return original()
    })
    const { CapClient } = await import('../../../src/protocols/cap/client/cap-client.ts')
    const well = { status: 'ok', agent_id: crypto.randomUUID(), version: '1', uptime_seconds: 1 }
    const client = new CapClient({ baseUrl: 'https://agent.example', fetch: async () => Response.json(well) })
    expect(health.asked).toBe(0)
    await expect(client.health()).rejects.toMatchObject({ code: 'network_error', severity: 'TRANSIENT' })
    expect(await client.health()).toEqual(well)
  })
})
