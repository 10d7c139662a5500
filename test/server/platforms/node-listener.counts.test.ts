import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import { toNodeListener } from '../../../src/server/platforms/node-listener.ts'
import { createManualClock, settle } from '../../support/manual-clock.ts'
import { allPackets, packetsOf, post, requestBody, serve } from '../peer.ts'
import { createGate, serveAgent } from '../serve-agent.ts'

const PACKETS = 50

afterEach(() => vi.unstubAllGlobals())

/** Counts what is made of a class until the test ends. */
function counted<Name extends 'AbortController' | 'ReadableStream' | 'Request' | 'Response'>(name: Name): () => number {
  let made = 0
  const original = globalThis[name]
  vi.stubGlobal(
    name,
    new Proxy(original, {
      construct(target, args, derived) {
        made += 1
        return Reflect.construct(target, args, derived) as object // a class gives objects
      },
    }),
  )
  return () => made
}

/** Asks without fetch, which makes signals and its own streams, and gives the body. */
function postPlainly(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    httpRequest(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
      response
        .setEncoding('utf8')
        .on('data', (piece: string) => (text += piece))
        .on('end', () => resolve(text))
    })
      .on('error', reject)
      .end(JSON.stringify(requestBody()))
  })
}

/** An agent that says each word when the test asks for it. */
function wordByWord(): { agent: Parameters<typeof serveAgent>[0]; say(): Promise<void> } {
  let [waiting, asked] = [createGate(), createGate()]
  return {
    agent: async function* () {
      for (let word = 0; word < PACKETS; word++) {
        waiting.open()
        await asked.opened
        asked = createGate()
        yield `word${word} `
      }
    },
    async say() {
      await waiting.opened
      waiting = createGate()
      asked.open()
      await settle()
    },
  }
}

describe('an answer over Node', () => {
  it('is made of one controller, however long it is, and of no Request, Response or stream', async () => {
    const { agent, say } = wordByWord()
    const { url } = await serveAgent(agent)
    const joined = vi.spyOn(AbortSignal, 'any')
    onTestFinished(() => joined.mockRestore())
    const counts = [counted('AbortController'), counted('ReadableStream'), counted('Request'), counted('Response')]
    const reading = postPlainly(url)
    for (let word = 0; word < PACKETS; word++) await say()
    expect((await reading).split('event: stream.packet')).toHaveLength(PACKETS + 2)
    expect(counts.map((count) => count())).toEqual([1, 0, 0, 0])
    expect(joined).not.toHaveBeenCalled()
  })

  it('is encoded once for all who follow it', async () => {
    const { agent, say } = wordByWord()
    const { url } = await serveAgent(agent)
    const followers = await Promise.all(Array.from({ length: 10 }, async () => packetsOf(await post(url))))
    const encode = vi.spyOn(TextEncoder.prototype, 'encode')
    onTestFinished(() => encode.mockRestore())
    for (let word = 0; word < PACKETS; word++) {
      await say()
      const packets = await Promise.all(followers.map(async (packets) => (await packets.next()).value))
      expect(new Set(packets.map((packet) => packet?.p))).toEqual(new Set([`word${word} `]))
    }
    const frames = encode.mock.calls.filter(([text]) => text?.includes('stream.packet'))
    expect(frames).toHaveLength(PACKETS + (frames.at(-1)?.[0]?.includes('"CLOSE"') ? 1 : 0))
  })

  it('asks who calls with a Request whose body nobody has read', async () => {
    const handler = createAgentHandler({
      agent: async function* (_request, run) {
        yield `${run.user} ${run.headers.get('x-word')} ${run.url.pathname}`
      },
      clock: createManualClock(),
      authorize: async (http) => {
        const { request_id: id } = (await http.clone().json()) as { request_id: string } // what `post` sends
        return `${id.length}`
      },
    })
    const origin = await serve(toNodeListener(handler))
    const packets = await allPackets(await post(`${origin}/assist`, { headers: { 'x-word': 'rivers' } }))
    expect(packets[0]?.p).toBe('36 rivers /assist')
  })
})
