import { describe, expect, it } from 'vitest'
import { textOf } from '../../src/state/turn.ts'
import type { ServerFault } from '../../src/testing/faulty-server.ts'
import { AT_ONCE, closeFrame, delta, meet, noting, open, saying, TALKATIVE, TEXT, TWO_STREAMS, WORDS } from './meet.ts'

const REFUSE = { type: 'refuse' } as const

describe('the connection, over real sockets', () => {
  it('row 1: refused, or reset before headers: asked again under the same request id with the same body, cursor kept', async () => {
    const { server, text, answer } = await meet([REFUSE, { type: 'cut', after: 3 }, { type: 'lose-answer' }, REFUSE])
    expect(text).toBe(TEXT)
    expect(answer.status).toBe('complete')
    expect(server.attempts).toHaveLength(5)
    expect(server.runs).toBe(1)
    expect(new Set(server.attempts.map(({ requestId }) => requestId)).size).toBe(1)
    expect(new Set(server.attempts.map(({ body }) => body)).size).toBe(1)
    const [first, second, third, fourth, fifth] = server.attempts.map(({ lastEventId }) => lastEventId)
    expect([first, second]).toEqual([undefined, undefined])
    expect(third).toMatch(/^[0-9a-f-]{36}$/)
    expect([fourth, fifth]).toEqual([third, third])
  })

  it('row 1: an answer lost before its headers is not a second run', async () => {
    const { server, text } = await meet([{ type: 'lose-answer' }, { type: 'lose-answer' }])
    expect(text).toBe(TEXT)
    expect(server.runs).toBe(1)
  })

  it('row 2: reset after headers before the first packet is retried and is not progress', async () => {
    const cut: ServerFault = { type: 'cut', after: 0 }
    expect((await meet([cut, cut, cut])).text).toBe(TEXT)
    const { server, errors, chat } = await meet([cut, cut, cut, cut])
    expect(server.attempts).toHaveLength(4)
    expect(errors).toMatchObject([{ kind: 'connection', code: 'network_error' }])
    expect(chat.getSnapshot()).toMatchObject({ status: 'error', connection: { phase: 'failed' } })
  })

  it('row 4: split inside characters, in writes of one byte, the text is identical', async () => {
    const { text, server } = await meet([{ type: 'none', pieces: 1 }])
    expect(text).toBe(TEXT)
    expect(server.attempts).toHaveLength(1)
  })

  it('row 5: a clean end without CLOSE is resumed, never done; after the limit the answer is incomplete and its text stays', async () => {
    const cut: ServerFault = { type: 'cut', after: 3, how: 'end' }
    const healed = await meet([cut])
    expect(healed.answer).toMatchObject({ status: 'complete' })
    expect(healed.text).toBe(TEXT)
    const { answer, text, server, errors, finished, chat } = await meet([cut, cut, cut, cut])
    expect(answer).toMatchObject({ status: 'incomplete', error: { code: 'truncated' } })
    expect(text).toBe(WORDS.slice(0, 3).join(''))
    expect(server.attempts).toHaveLength(4)
    expect([errors.length, finished.length]).toEqual([1, 0])
    await chat.retry()
    expect(textOf(chat.getSnapshot().messages[1] ?? answer)).toBe(TEXT)
    expect(server.runs).toBe(1)
  })

  it('row 6: half-open silence is found by the watchdog, before the first byte and in mid-answer', async () => {
    const retry = noting()
    const { text, server } = await meet([{ type: 'mute' }, { type: 'silence', after: 3 }], { timeoutMs: 1000, retry })
    expect(text).toBe(TEXT)
    expect(server).toMatchObject({ attempts: { length: 3 }, runs: 1 })
    expect(retry.asked).toMatchObject([{ error: { code: 'timeout' } }, { error: { code: 'timeout' } }])
    await expect.poll(() => server.open).toBe(0)
  })

  it('row 6: comments count as life', async () => {
    const { chat, server } = await open([{ type: 'silence', after: 3, commentsEveryMs: 100 }], { timeoutMs: 1000 })
    const asking = chat.sendMessage('Why?')
    await new Promise((resolve) => {
      setTimeout(resolve, 2500)
    })
    expect(server.attempts).toHaveLength(1)
    expect(chat.getSnapshot().connection.phase).toBe('streaming')
    await chat.stop()
    await asking
    await expect.poll(() => server.open).toBe(0)
  })

  it('row 7: an empty 200 again and again: the wait grows, and it stops after so many without progress', async () => {
    const retry = noting()
    const { server, errors, answer } = await meet(
      Array.from({ length: 9 }, () => ({ type: 'empty' as const })),
      { retry },
    )
    expect(server.attempts).toHaveLength(4)
    expect(retry.asked.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(errors).toMatchObject([{ code: 'truncated' }])
    expect(answer).toMatchObject({ status: 'incomplete', parts: [] })
  })

  it('row 8: a server that lost its log and begins again: shown as restarted, text reset, never mixed', async () => {
    let runs = 0
    const { text, answer, server, snapshots } = await meet(
      [{ type: 'cut', after: 4 }, { type: 'lose-log' }],
      {},
      async function* () {
        runs += 1
        for (const word of WORDS) yield `${runs}${word}`
      },
    )
    const truth = [1, 2].map((run) => WORDS.map((word) => `${run}${word}`).join(''))
    expect(text).toBe(truth[1])
    expect(answer).toMatchObject({ status: 'complete', restarted: true })
    expect(server.runs).toBe(2)
    for (const { messages } of snapshots) {
      for (const message of messages.filter(({ role }) => role === 'assistant'))
        expect(truth.some((whole) => whole.startsWith(textOf(message)))).toBe(true)
    }
  })

  it.each<[string, ServerFault, string]>([
    ['404', { type: 'status', status: 404 }, 'not_found'],
    ['410', { type: 'status', status: 410 }, 'log_expired'],
    ['409', { type: 'lose-log', answer: 'conflict' }, 'log_expired'],
  ])('row 8: a log that is gone (%s) ends the run with a typed reason, text kept', async (_, gone, code) => {
    const { text, answer, server } = await meet([{ type: 'cut', after: 4 }, gone])
    expect(text).toBe(WORDS.slice(0, 4).join(''))
    expect(answer).toMatchObject({ status: 'failed', error: { code, severity: 'FATAL' } })
    expect(server).toMatchObject({ runs: 1, attempts: { length: 2 } })
  })

  it.each<[string, readonly ServerFault[]]>([
    ['every packet three times', [{ type: 'repeat', times: 3 }]],
    ['all of it again, in the middle', [{ type: 'replay', after: 4, times: 5 }]],
    ['all of it again, after each of three cuts', [2, 3, 5].map((after) => ({ type: 'cut', after }))],
    [
      'a replay that overlaps',
      [
        { type: 'cut', after: 5 },
        { type: 'overlap', from: 3 },
      ],
    ],
    [
      'a replay that begins exactly there',
      [
        { type: 'cut', after: 5 },
        { type: 'overlap', from: 5 },
      ],
    ],
  ])('row 9: duplicates change nothing and repeat no effect: %s', async (_, faults) => {
    const { text, answer, finished, warnings } = await meet(faults, {}, TALKATIVE)
    expect(text).toBe('Flüsse mäandern 🌊.')
    expect(answer.parts.map(({ type }) => type)).toEqual(['text', 'thought', 'warning', 'citations'])
    expect([finished.length, warnings.length]).toEqual([1, 1])
  })

  it('row 10: a gap is accepted, marked at its place and never joined', async () => {
    const { answer, server } = await meet([{ type: 'gap', after: 2, count: 3 }])
    expect(answer).toMatchObject({
      status: 'complete',
      parts: [
        { type: 'text', text: WORDS.slice(0, 2).join('') },
        { type: 'gap', after: 2, before: 6 },
        { type: 'text', text: WORDS.slice(5).join('') },
      ],
    })
    expect(server.attempts).toHaveLength(1)
  })

  it('row 10: packets that change places are a gap too: nothing is shown out of order', async () => {
    const { answer } = await meet([{ type: 'swap', after: 2 }])
    expect(answer.parts).toMatchObject([
      { type: 'text', text: WORDS.slice(0, 2).join('') },
      { type: 'gap', after: 2, before: 4 },
      { type: 'text', text: WORDS.slice(3).join('') },
    ])
  })

  it('row 11: two streams that speak in turns have a cursor each; both are shown, over cuts', async () => {
    for (const faults of [
      [],
      [
        { type: 'cut', after: 3 },
        { type: 'cut', after: 6, how: 'end' },
      ],
    ] satisfies (readonly ServerFault[])[]) {
      const { answers, server } = await meet(faults, {}, TWO_STREAMS)
      expect(answers.map((message) => `${message.status}: ${textOf(message)}`)).toEqual([
        'complete: A1 A2 A3.',
        'complete: B1 B2 B3.',
      ])
      expect(server.runs).toBe(1)
    }
  })

  it('row 12: packets after CLOSE are ignored; a reset after it is no reason to come back', async () => {
    const late = await meet([saying(delta(1, 'Rivers.') + closeFrame(2) + delta(3, 'ghost'))])
    expect(late.text).toBe('Rivers.')
    const reset = await meet([{ type: 'cut', after: WORDS.length + 1 }])
    expect(reset.text).toBe(TEXT)
    for (const { server, answer, finished } of [late, reset]) {
      expect(answer.status).toBe('complete')
      expect([server.attempts.length, finished.length]).toEqual([1, 1])
    }
  })

  it('row 40: a `retry:` field changes no wait', async () => {
    for (const value of ['0', '99999999999', '-1', 'soon']) {
      const retry = noting(AT_ONCE)
      const { text } = await meet([{ type: 'insert', after: 0, data: `retry: ${value}\n\n` }, { type: 'none' }], {
        retry,
      })
      expect(text).toBe(TEXT)
      const cut = await meet([saying(`retry: ${value}\n\n`)], { retry })
      expect(cut.text).toBe(TEXT)
      expect(retry.asked).toMatchObject([{ attempt: 1, error: { code: 'truncated', retryAfterMs: undefined } }])
    }
  })
})
