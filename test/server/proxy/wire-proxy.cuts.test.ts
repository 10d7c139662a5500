import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/index.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { cutEvery, recordAnswer } from '../../support/cut-posts.ts'
import { answerText, chatOn, serveAnswers, serveWire, WIRES } from '../serve-wire.ts'
import { answerOf } from '../../support/answer-of.ts'

// Over HTTP: a page, the proxy, and a server of another wire that keeps nothing and cannot resume.

const WORDS = Array.from({ length: 24 }, (_, at) => `Sentence ${at} of the river 🌊. `)

describe.each(WIRES)('an answer of over 2 kB of %s behind the proxy', (wire) => {
  const body = new TextEncoder().encode(answerText(wire, ...WORDS))

  it(
    'is exact, cut at every byte between page and proxy, with one POST to the server',
    { timeout: 600_000 },
    async () => {
      const upstream = await serveAnswers((res) => res.end(body))
      const { url, errors } = await serveWire(wire, upstream, { log: memoryEventLog() })
      const whole = await recordAnswer(async (through) => {
        const chat = chatOn(wire, url, through)
        await chat.sendMessage('Go on.')
        await chat.dispose()
      })
      const length = Buffer.byteLength(whole)
      expect(length).toBeGreaterThan(2000)
      const before = upstream.seen.length
      await cutEvery({ length, step: 1 }, async (through, at) => {
        const chat = chatOn(wire, url, through)
        await chat.sendMessage('Go on.')
        expect([at, answerOf(chat).status, textOf(answerOf(chat))]).toEqual([at, 'complete', WORDS.join('')])
        await chat.dispose()
      })
      expect(upstream.seen.length - before).toBe(length)
      expect(errors).toEqual([])
    },
  )

  it('is never complete, cut at every byte between proxy and server, with one POST', { timeout: 600_000 }, async () => {
    let cutAt = 0
    const upstream = await serveAnswers((res) => {
      const piece = body.subarray(0, cutAt)
      // Both ends of a connection: in order, and broken behind the last bytes.
      if (cutAt % 2 === 0) res.end(piece)
      else res.write(piece, () => setImmediate(() => res.destroy()))
    })
    const { url } = await serveWire(wire, upstream)
    const statuses = new Map<string, number>()
    for (; cutAt <= body.length; cutAt++) {
      const chat = chatOn(wire, url)
      await chat.sendMessage('Go on.')
      const { messages, error } = chat.getSnapshot()
      const answer = messages.findLast(({ role }) => role === 'assistant')
      const text = answer === undefined ? '' : textOf(answer)
      expect(WORDS.join('').startsWith(text)).toBe(true)
      if (answer?.status === 'complete') expect([cutAt, text]).toEqual([cutAt, WORDS.join('')])
      else expect([cutAt, answer?.status, error !== undefined]).toEqual([cutAt, 'failed', true])
      statuses.set(answer?.status ?? '', (statuses.get(answer?.status ?? '') ?? 0) + 1)
      await chat.dispose()
    }
    expect(upstream.seen).toHaveLength(body.length + 1)
    // Behind the frame that ends the run a few bytes are left.
    expect(statuses.get('failed')).toBeGreaterThan(body.length - 40)
    expect([...statuses.keys()].toSorted()).toEqual(['complete', 'failed'])
  })
})
