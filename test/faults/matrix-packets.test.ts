import { describe, expect, it } from 'vitest'
import { event, fatal, transient, warning } from '../../src/server/run/agent-output.ts'
import type { ChatMessage } from '../../src/state/turn.ts'
import { closeFrame, delta, frame, meet, saying, STREAM_ID } from './meet.ts'

const good = delta(1, 'Rivers ') + delta(2, 'meander.') + closeFrame(3)
const bytes = (...pieces: (string | readonly number[])[]): Uint8Array<ArrayBuffer> => {
  const utf8 = new TextEncoder()
  return new Uint8Array(pieces.flatMap((piece) => (typeof piece === 'string' ? [...utf8.encode(piece)] : piece)))
}
const raw = (json: string): string => `data: ${json}\n\n`
const packet = (fields: string): string => `{"stream_id":"${STREAM_ID}","t":"2026-03-01T08:15:00Z",${fields}}`
const broken = async (body: string | Uint8Array<ArrayBuffer>): Promise<ChatMessage> => {
  const { answer, server, errors } = await meet([saying(body)])
  expect(server.attempts, 'what breaks the protocol is not asked for again').toHaveLength(1)
  expect(errors).toHaveLength(1)
  return answer
}

describe('the packets, over real sockets', () => {
  it.each([
    ['-1', -1],
    ['1.5', 1.5],
    ['"seven"', 'seven'],
    ['2^53 + 1', 2 ** 53 + 2],
    ['missing', undefined],
  ])('row 13: a seq that is %s is a typed protocol error; what was good before it stays', async (_, seq) => {
    const answer = await broken(delta(1, 'Rivers ') + delta(seq, 'nowhere') + closeFrame(3))
    expect(answer).toMatchObject({
      status: 'failed',
      error: { name: 'CapProtocolError', code: 'invalid_packet' },
      parts: [{ text: 'Rivers ' }],
    })
  })

  it('row 13: a seq written as text, "2", is read as the number: the reference models of CAP take it', async () => {
    const { answer, text } = await meet([
      saying(delta(1, 'Rivers ') + delta('2', 'meander.') + delta(2, 'twice') + closeFrame(3)),
    ])
    expect(answer).toMatchObject({ status: 'complete' })
    expect(text).toBe('Rivers meander.')
  })

  it('row 22: a frame without an end, and one of endless lines, stop at the limit with a typed error', async () => {
    for (const data of ['data: ' + 'x'.repeat(10_000), `data: ${'x'.repeat(10_000)}\n`, 'event: x'.repeat(1000)]) {
      const { errors, server } = await meet([{ type: 'endless', after: 0, data, bytes: 5_000_000 }], {
        maxFrameBytes: 200_000,
      })
      expect(errors).toMatchObject([{ name: 'CapProtocolError', code: 'frame_too_large', severity: 'FATAL' }])
      await expect.poll(() => server.open).toBe(0)
    }
  })

  it('row 22: a million comments and a long line in splinters are read to the end', async () => {
    const comments = ':\n'.repeat(1_000_000)
    expect((await meet([saying(comments + good)])).text).toBe('Rivers meander.')
    const long = 'x'.repeat(300_000)
    expect((await meet([{ ...saying(delta(1, long) + closeFrame(2)), pieces: 100 }])).text).toBe(long)
  })

  it('row 23: invalid UTF-8 becomes U+FFFD, a BOM in mid-text stays, lone surrogates and NUL throw nothing', async () => {
    const open = `data: ${packet('"seq":1,"op":"DELTA","p":"a').slice(0, -1)}`
    const { text, answer } = await meet([
      saying(bytes(open, [0xff], 'b', [0xf0, 0x9f], 'c', [0xef, 0xbb, 0xbf], 'd\\u0000e\\ud800f"}\n\n', closeFrame(2))),
    ])
    expect(answer.status).toBe('complete')
    expect(text).toBe('a\ufffdb\ufffdc\ufeffd\0e\ud800f')
  })

  it('row 23: a NUL that is not escaped is not JSON', async () => {
    expect(
      await broken(bytes('data: ', packet('"seq":1,"op":"DELTA","p":"a').slice(0, -1), [0], '"}\n\n')),
    ).toMatchObject({ error: { code: 'invalid_json' } })
  })

  it('row 24: JSON 100,000 levels deep is a typed error and no overflow', async () => {
    const deep = raw(
      packet(`"seq":1,"op":"EVENT","p":{"type":"X","data":{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`),
    )
    expect(await broken(deep)).toMatchObject({ error: { name: 'CapProtocolError', code: 'invalid_json' } })
  })

  it('row 24: duplicate keys are read as JSON reads them; `__proto__` pollutes nothing', async () => {
    const twice = raw(packet('"seq":1,"op":"DELTA","p":"first","p":"last"'))
    const proto = raw(
      packet(
        '"seq":2,"op":"EVENT","p":{"type":"SHAPE","data":{"a":1,"__proto__":{"polluted":true},"\\u005f_proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}',
      ),
    )
    const { text, answer } = await meet([saying(twice + proto + closeFrame(3))])
    expect(text).toBe('last')
    const part = answer.parts.find(({ type }) => type === 'unknown')
    expect(JSON.stringify(part)).toContain('"a":1')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Reflect.get(part ?? {}, 'polluted')).toBeUndefined()
  })

  it('row 25: an unknown op is a typed error that holds its raw text', async () => {
    const answer = await broken(delta(1, 'Rivers ') + frame({ seq: 2, op: 'SHOUT', p: 'HEY' }))
    expect(answer).toMatchObject({
      error: { code: 'unknown_op', details: { raw: expect.stringContaining('SHOUT') } },
      parts: [{ text: 'Rivers ' }],
    })
  })

  it('row 25: unknown events are kept as unknown parts, extra fields do no harm', async () => {
    const { text, answer } = await meet([
      saying(
        frame({ seq: 1, op: 'DELTA', p: 'Rivers.', mood: 'calm' }) +
          frame({ seq: 2, op: 'EVENT', p: { type: 'WEATHER', data: { sun: true } } }) +
          closeFrame(3),
      ),
    ])
    expect(text).toBe('Rivers.')
    expect(answer.parts).toMatchObject([{ type: 'text' }, { type: 'unknown', name: 'WEATHER' }])
  })

  it('row 25: one bad packet is left out in tolerant mode, and the rest is read', async () => {
    const { text, answer } = await meet(
      [saying(delta(1, 'Rivers ') + raw('{nope') + delta(2, 'meander.') + closeFrame(3))],
      { mode: 'tolerant' },
    )
    expect(text).toBe('Rivers meander.')
    expect(answer.status).toBe('complete')
  })

  it('row 26: FATAL stops immediately', async () => {
    const { server, answer, errors } = await meet([], {}, [
      'Half',
      fatal('auth_failed', 'Sign in again.'),
      'never said',
    ])
    expect(server.attempts).toHaveLength(1)
    expect(answer).toMatchObject({ status: 'failed', parts: [{ text: 'Half' }] })
    expect(errors).toMatchObject([{ code: 'agent_error', agentCode: 'auth_failed' }])
  })

  it('row 26: TRANSIENT reconnects under the same budget, with retry_after as the floor, and the answer continues', async () => {
    const { server, text, answer } = await meet([{ type: 'silence', after: 2 }], {}, [
      'A',
      transient('slow', 'Slow.', { retryAfterSeconds: 0.3 }),
      'B',
    ])
    expect(text).toBe('AB')
    expect(answer.status).toBe('complete')
    const [first, second] = server.attempts.map(({ at }) => at)
    expect(server.attempts).toHaveLength(2)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(299)
  })

  it('row 26: WARNING changes no state', async () => {
    const { answer, warnings, errors, chat } = await meet([], {}, [
      'A',
      warning('stale', 'Old data.'),
      event('WEATHER', { sun: true }),
      'B',
    ])
    expect(answer.status).toBe('complete')
    expect([warnings.length, errors.length]).toEqual([1, 0])
    expect(chat.getSnapshot()).toMatchObject({
      status: 'ready',
      error: undefined,
      connection: { attempt: 0, connections: 1 },
    })
  })

  it('row 26: a hundred TRANSIENT errors are bounded', async () => {
    const { server, errors } = await meet(
      Array.from({ length: 9 }, () => ({ type: 'cut' as const, after: 101, how: 'end' as const })),
      {},
      ['A', ...Array.from({ length: 100 }, (_, index) => transient('slow', `Slow ${index}.`)), 'B'],
    )
    expect(server.attempts.length).toBeLessThanOrEqual(4)
    expect(errors).toHaveLength(1)
  })
})
