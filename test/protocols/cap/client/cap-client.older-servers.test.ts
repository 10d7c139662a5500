import { describe, expect, it } from 'vitest'
import { CapClient } from '../../../../src/protocols/cap/client/cap-client.ts'
import { serviceRequestV18Schema } from '../dialects/older-service-request.ts'
import { createAgentProxy } from '../../../../src/server/proxy/agent-proxy.ts'
import { memoryEventLog } from '../../../../src/server/event-log/memory-event-log.ts'
import { backoff } from '../../../../src/base/backoff.ts'
import { createChat } from '../../../../src/state/chat.ts'
import { type ChatMessage, textOf } from '../../../../src/state/turn.ts'
import { collect } from '../../../server/peer.ts'
import type { Cut } from '../../../support/cutting-server.ts'
import { serveCut } from '../../../support/cutting-server.ts'

const WORDS = ['Kein ', 'Fluß ', 'fließt ', 'gerade 🌊.']
const frame = (packet: object): string => `data: ${JSON.stringify(packet)}\n\n`
const BODY = [...WORDS.map((p) => frame({ op: 'delta', p })), frame({ op: 'close', p: null })].join('')
const AT_ONCE = backoff({ baseMs: 1, capMs: 1 })

/** A server of v0.18: it reads what its models read, and keeps nothing of what it said. */
async function readAsV18(http: Request): Promise<Response> {
  if (!serviceRequestV18Schema.safeParse(await http.json()).success)
    return Response.json({ detail: 'unreadable' }, { status: 422 })
  return new Response(BODY, { headers: { 'content-type': 'text/event-stream' } })
}

function clientOf(origin: string): CapClient {
  return new CapClient({ baseUrl: origin, dialect: 'v0.18', onUnresumable: 'restart', retry: AT_ONCE })
}

/** The answer of a chat when its run has ended, and every text it showed on the way. */
async function answerOf(
  client: CapClient,
): Promise<{ readonly answer: ChatMessage | undefined; readonly texts: readonly string[] }> {
  const chat = createChat({ conversationId: crypto.randomUUID(), client: () => client })
  const texts: string[] = []
  const last = (): ChatMessage | undefined => chat.getSnapshot().messages.at(-1)
  const unsubscribe = chat.subscribe(() => {
    const answer = last()
    if (answer?.role === 'assistant') texts.push(textOf(answer))
  })
  await chat.sendMessage('Which way?')
  unsubscribe()
  return { answer: last(), texts }
}

describe('a server of v0.18 on a connection that is cut', () => {
  it('is asked again, wherever the connection is cut, and the chat shows nothing twice', async () => {
    for (let afterBytes = 0; afterBytes < BODY.length; afterBytes += 37) {
      for (const how of ['reset', 'end'] as const) {
        const { origin, seen } = await serveCut(readAsV18, [{ afterBytes, how, pieces: 11 }])
        const { answer, texts } = await answerOf(clientOf(origin))
        const where = `cut by ${how} after ${afterBytes}`
        expect([answer?.status, answer && textOf(answer)], where).toEqual(['complete', WORDS.join('')])
        for (const text of texts) expect(WORDS.join('').startsWith(text), where).toBe(true)
        expect(seen, where).toHaveLength(2)
        expect(new Set(seen.map(({ body }) => body)).size, where).toBe(1)
        expect(
          seen.map(({ headers }) => [headers['x-request-id'], headers['last-event-id']]),
          where,
        ).toEqual([
          [JSON.parse(seen[0]?.body ?? '').request_id, undefined],
          [seen[0]?.headers['x-request-id'], undefined],
        ])
      }
    }
  })

  it('gives chat() its text once', async () => {
    const cuts: Cut[] = [
      { afterBytes: 60, how: 'reset' },
      { afterBytes: 30, how: 'end' },
    ]
    const { origin, seen } = await serveCut(readAsV18, cuts)
    expect((await collect(clientOf(origin).chat('Which way?'))).join('')).toBe(WORDS.join(''))
    expect(seen).toHaveLength(3)
  })
})

describe('a server of v0.18 behind a proxy with a log', () => {
  it('is asked once: the proxy knows the request that the client sends again', async () => {
    const upstream = await serveCut(readAsV18, [])
    const proxy = createAgentProxy({
      upstream: upstream.origin,
      headers: {},
      authorize: () => 'ann',
      log: memoryEventLog(),
    })
    const { origin, seen } = await serveCut(proxy, [{ afterBytes: 60, how: 'reset' }])
    const { answer } = await answerOf(clientOf(origin))
    expect([answer?.status, answer && textOf(answer)]).toEqual(['complete', WORDS.join('')])
    expect([seen.length, upstream.seen.length]).toEqual([2, 1])
  })
})
