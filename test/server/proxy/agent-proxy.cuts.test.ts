import { describe, expect, it } from 'vitest'
import { systemClock, type Clock } from '../../../src/base/ports/clock.ts'
import { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { createChat } from '../../../src/state/chat.ts'
import { textOf } from '../../../src/state/turn.ts'
import { AT_ONCE } from '../../faults/meet.ts'
import { answerOf } from '../../support/answer-of.ts'
import { proxyCut } from '../../support/cutting-proxy.ts'
import { serveAgent } from '../serve-agent.ts'
import { serveProxy } from '../serve-proxy.ts'

// The bytes between the proxy and its agent, from the status on, are cut at places all over: in a header, a length, a packet, a
// character and between them. The steps share no factor with the four bytes of the wave.

const WORDS = ['Rivers ', '🌊 ', 'meander.']
/** Waits between attempts are left out, and limits of silence are not. */
const IMPATIENT: Clock = { ...systemClock, after: (ms, call) => systemClock.after(ms < 15_000 ? 0 : ms, call) }

describe.each([
  ['without a log', false],
  ['with a log', true],
])('an answer through a proxy %s', (_name, hasLog) => {
  it.each([
    { often: 'once', times: 1, step: 3 },
    { often: 'on every connection', times: Number.POSITIVE_INFINITY, step: 7 },
  ])(
    'cut at each place $often, is whole or fails with a typed error',
    { timeout: 600_000 },
    async ({ times, step }) => {
      let runs = 0
      const agent = await serveAgent(async function* () {
        runs += 1
        yield* WORDS
      })
      const cutting = await proxyCut(agent.origin)
      const { origin } = await serveProxy(cutting.origin, {
        clock: IMPATIENT,
        log: hasLog ? memoryEventLog() : undefined,
      })
      const ask = async (): Promise<string> => {
        // Another client each time: one client paces its attempts.
        const client = new CapClient({
          baseUrl: `${origin}/api`,
          retry: { ...AT_ONCE, maxAttempts: 3, retryHttp: true },
        })
        const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
        await chat.sendMessage('Why?').catch(() => undefined)
        const { error, messages } = chat.getSnapshot()
        const answer = messages.some(({ role }) => role === 'assistant') ? answerOf(chat) : undefined
        const text = answer === undefined ? '' : textOf(answer)
        expect(WORDS.join('').startsWith(text)).toBe(true)
        await chat.dispose()
        if (answer?.status !== 'complete') return error === undefined ? 'no error' : 'typed error'
        return text === WORDS.join('') ? 'whole' : `complete "${text}"`
      }
      cutting.cut(undefined)
      expect(await ask()).toBe('whole')
      const length = cutting.passed.response
      expect(length).toBeGreaterThan(1_000)

      const seen = new Map<string, number>()
      for (let afterBytes = 0; afterBytes < length; afterBytes += step) {
        const before = runs
        cutting.cut({ direction: 'response', afterBytes, times })
        const outcome = await ask()
        // The agent runs once, however often it is asked.
        expect([afterBytes, runs - before]).toEqual([afterBytes, 1])
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }
      if (times === 1) expect(Object.fromEntries(seen)).toEqual({ whole: Math.ceil(length / step) })
      else expect([...seen.keys()].toSorted()).toEqual(['typed error', 'whole'])
    },
  )
})
