import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { event } from '../../src/server/run/agent-output.ts'
import type { DuplexConnection } from '../../src/wire/duplex-transport.ts'
import type { Transport } from '../../src/wire/transport.ts'
import { webSocket } from '../../src/wire/frame-requests.ts'
import { collect } from '../server/peer.ts'
import { proxyCut } from '../support/cutting-proxy.ts'
import { memoryRequests, serveWebSockets } from '../support/frame-agent.ts'
import { AT_ONCE } from './meet.ts'

const WORDS = ['Kein ', 'Fluß ', 'fließt ', 'gerade: ', 'jede ', 'Böschung ', 'gibt ', 'nach 🌊.']
const TEXT = WORDS.join('')

/** `npm run test:faults` takes every offset; `npm test` every seventh. */
const STEP = process.env['EVERY_OFFSET'] === '1' ? 1 : 7

function countedAgent(): { readonly handler: ReturnType<typeof createAgentHandler>; runs: number } {
  const counted = {
    runs: 0,
    handler: createAgentHandler({
      agent: async function* () {
        counted.runs += 1
        yield* WORDS.slice(0, 4)
        yield event('THOUGHT_TRACE', { thought: 'Rivers' })
        yield* WORDS.slice(4)
      },
    }),
  }
  return counted
}

/** One client each: a page whose every answer breaks would soon be told to wait. */
async function ask(baseUrl: string, transport: Transport): Promise<string> {
  return (await collect(new CapClient({ baseUrl, transport, retry: AT_ONCE }).chat('Why?'))).join('')
}

describe('an answer over a WebSocket, cut at every place', () => {
  it.each(['response', 'request'] as const)(
    'in the %s, on a real connection: the text is identical, with one run',
    { timeout: 300_000 },
    async (direction) => {
      const agent = countedAgent()
      const { origin } = await serveWebSockets(agent.handler)
      const proxy = await proxyCut(origin)
      const transport = webSocket({ WebSocket })
      proxy.cut(undefined)
      expect(await ask(proxy.origin, transport)).toBe(TEXT)
      const whole = proxy.passed[direction]
      expect(whole).toBeGreaterThan(direction === 'response' ? 1500 : 600)
      let asked = 1
      let cuts = 0
      for (let afterBytes = 0; afterBytes < whole; afterBytes += STEP) {
        proxy.cut({ direction, afterBytes, times: 1 })
        expect(await ask(proxy.origin, transport), `cut after ${afterBytes} bytes`).toBe(TEXT)
        asked += 1
        cuts += proxy.cuts
      }
      expect(agent.runs).toBe(asked)
      // How many bytes a handshake has differs by some; behind CLOSE nobody needs to come back.
      expect(cuts).toBeGreaterThan((asked - 1) * 0.9)
    },
  )

  it('in memory: the text is identical, with one run', async () => {
    const agent = countedAgent()
    let left = Number.POSITIVE_INFINITY
    let length = 0
    let cuts = 0
    /** Frames are whole there, so that a cut takes the frame away that it falls into. */
    const cutting = ({ frames, send, close }: DuplexConnection): DuplexConnection => ({
      frames,
      send(frame) {
        left -= frame.length
        length += frame.length
        if (left >= 0) return send(frame)
        left = Number.POSITIVE_INFINITY
        cuts += 1
        close()
      },
      close,
    })
    const transport = memoryRequests(agent.handler, cutting)
    expect(await ask('https://agent.test', transport)).toBe(TEXT)
    const whole = length
    expect(whole).toBeGreaterThan(1300)
    let asked = 1
    for (let after = 0; after < whole; after += STEP) {
      left = after
      expect(await ask('https://agent.test', transport), `cut after ${after} characters`).toBe(TEXT)
      asked += 1
    }
    expect(agent.runs).toBe(asked)
    expect(cuts).toBe(asked - 1)
  })
})
