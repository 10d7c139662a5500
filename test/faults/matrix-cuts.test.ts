import { describe, expect, it } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { event } from '../../src/server/run/agent-output.ts'
import type { ServerFault } from '../../src/testing/faulty-server.ts'
import { faultyServer } from '../../src/testing/faulty-server.ts'
import { collect } from '../server/peer.ts'
import { AT_ONCE } from './meet.ts'

/** About two kilobytes on the wire: ten packets of text with one event among them, and CLOSE. */
const WORDS = ['Kein ', 'Fluß ', 'fließt ', 'gerade: ', 'jede ', 'Böschung ', 'gibt ', 'nach 🌊.']
const AGENT = [...WORDS.slice(0, 4), event('THOUGHT_TRACE', { thought: 'Rivers' }), ...WORDS.slice(4)]
const TEXT = WORDS.join('')
const WHOLE = 2150

/** `npm run test:faults` takes every offset; `npm test` every seventh, begun elsewhere for each way to cut. */
const STEP = process.env['EVERY_OFFSET'] === '1' ? 1 : 7

describe('an answer cut at every place', () => {
  it.each([
    ['reset', undefined, 0],
    ['end', undefined, 1],
    ['reset', 1, 2],
    ['end', 1, 3],
  ] as const)(
    'row 3: by %s, in writes of %s bytes: the text is identical, with one run',
    { timeout: 300_000 },
    async (how, pieces, start) => {
      let cut: ServerFault | undefined
      const server = await faultyServer({ agent: AGENT, faults: () => take() })
      const take = (): ServerFault | undefined => {
        const fault = cut
        cut = undefined
        return fault
      }
      let asked = 0
      for (let after = start; after < WHOLE; after += STEP) {
        cut = { type: 'cut', after, unit: 'bytes', how, ...(pieces !== undefined && { pieces }) }
        // One client each: a page whose every answer breaks would soon be told to wait.
        const client = new CapClient({ baseUrl: server.origin, retry: AT_ONCE })
        expect((await collect(client.chat('Why?'))).join(''), `cut after ${after} bytes`).toBe(TEXT)
        asked += 1
      }
      expect(server.runs).toBe(asked)
      // The last cuts fall behind CLOSE, where nobody needs to come back.
      expect(server.attempts.length).toBeGreaterThan(asked * 1.9)
      await server.close()
    },
  )
})
