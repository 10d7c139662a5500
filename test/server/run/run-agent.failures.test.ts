import { describe, expect, it } from 'vitest'
import { close, fatal, onStream, transient } from '../../../src/server/run/agent-output.ts'
import { allPackets, collect, packetsOf, post, textOf } from '../peer.ts'
import { serveAgent } from '../serve-agent.ts'

describe('an agent that fails', () => {
  it('ends in FATAL internal_error and CLOSE; what it threw stays on the server', async () => {
    const { url, errors } = await serveAgent(async function* () {
      yield 'So far'
      throw new Error('password is hunter2')
    })
    const response = await post(url)
    const packets = await allPackets(response)
    expect(packets.map((packet) => packet.op)).toEqual(['DELTA', 'ERROR', 'CLOSE'])
    expect(packets[1]?.p).toMatchObject({ code: 'internal_error', severity: 'FATAL' })
    expect(packets[2]?.p).toBe('failed')
    expect(JSON.stringify(packets)).not.toContain('hunter2')
    expect(errors).toMatchObject([{ message: 'password is hunter2' }])
  })

  it('is reported even when it throws before its first output', async () => {
    const { url } = await serveAgent(() => {
      throw new Error('broken')
    })
    expect((await allPackets(await post(url))).map((packet) => packet.op)).toEqual(['ERROR', 'CLOSE'])
  })

  it('may say itself that it has ended, and is not asked for more', async () => {
    let reached = false
    const { url, errors } = await serveAgent(async function* () {
      yield fatal('auth_failed', 'Sign in again.')
      reached = true
      yield 'never heard'
    })
    const packets = await allPackets(await post(url))
    expect(packets.map(({ seq, op }) => [seq, op])).toEqual([
      [1, 'ERROR'],
      [2, 'CLOSE'],
    ])
    expect(packets[0]?.p).toMatchObject({ code: 'auth_failed', severity: 'FATAL' })
    expect(reached).toBe(false)
    expect(errors).toEqual([])
  })

  it('fails alone: a FATAL on one stream leaves the other open', async () => {
    const { url } = await serveAgent(async function* () {
      yield 'main'
      yield onStream('side', fatal('tool_failed', 'No tool.'))
      yield ' goes on'
    })
    expect(textOf(await allPackets(await post(url)))).toBe('main goes on')
  })

  it('counts on after TRANSIENT, with the seconds to wait in its details', async () => {
    const { url } = await serveAgent(async function* () {
      yield 'a'
      yield transient('index_slow', 'The index is slow.', { retryAfterSeconds: 4 })
      yield 'b'
    })
    const packets = await allPackets(await post(url))
    expect(packets.map(({ seq, op }) => [seq, op])).toEqual([
      [1, 'DELTA'],
      [2, 'ERROR'],
      [3, 'DELTA'],
      [4, 'CLOSE'],
    ])
    expect(packets[1]?.p).toEqual({
      code: 'index_slow',
      message: 'The index is slow.',
      severity: 'TRANSIENT',
      details: { retry_after: 4 },
    })
  })

  it('gets an error when it speaks on a stream it has closed', async () => {
    const { url, errors } = await serveAgent(async function* () {
      yield onStream('a', close())
      yield 'main'
      yield onStream('a', 'again')
    })
    const packets = await allPackets(await post(url))
    expect(packets.at(-2)?.p).toMatchObject({ code: 'internal_error' })
    expect(errors).toMatchObject([{ message: expect.stringContaining('after it was closed') }])
  })

  it('gets an error when it mixes JSON and a stream', async () => {
    const { url, errors } = await serveAgent(async (_request, run) => {
      await run.write('text')
      return { output: {} }
    })
    expect((await allPackets(await post(url))).map((packet) => packet.op)).toEqual(['DELTA', 'ERROR', 'CLOSE'])
    expect(errors).toMatchObject([{ message: expect.stringContaining('either streamed or returned whole') }])
  })

  it('is cut off when its answer grows without end', async () => {
    const { url } = await serveAgent(
      async function* () {
        for (;;) yield 'x'.repeat(1_000)
      },
      { maxAnswerLength: 20_000 },
    )
    const packets = await allPackets(await post(url))
    expect(packets.at(-2)?.p).toMatchObject({ code: 'answer_too_large', severity: 'FATAL' })
    expect(packets.at(-1)?.op).toBe('CLOSE')
    expect(packets.map((packet) => packet.seq)).toEqual(packets.map((_, index) => index + 1))
  })

  it('ends with the server', async () => {
    const stopping = new AbortController()
    let aborted = false
    const { url } = await serveAgent(
      async function* (_request, run) {
        run.signal.addEventListener('abort', () => (aborted = true))
        yield 'a'
        await new Promise(() => {})
      },
      { signal: stopping.signal },
    )
    const packets = packetsOf(await post(url))
    expect((await packets.next()).value).toMatchObject({ op: 'DELTA' })
    stopping.abort()
    const rest = await collect(packets)
    expect(rest.map((packet) => packet.op)).toEqual(['ERROR', 'CLOSE'])
    expect(rest[0]?.p).toMatchObject({ code: 'server_stopping' })
    expect(aborted).toBe(true)
  })
})
