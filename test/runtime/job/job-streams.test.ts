import { describe, expect, it } from 'vitest'
import type { ArcpToolFunction } from '../../../src/runtime/job/tool.ts'
import { serve } from '../served-runtime.ts'

describe('a stream of a job', () => {
  it('carries what its kind has, numbered, and is closed with the job', async () => {
    const { raw, settle } = serve({
      tools: {
        all: async (_given, { stream }) => {
          await stream('binary', { contentType: 'image/x' }).write(new Uint8Array([1, 2]))
          await stream('thought').write('hm')
          await stream('thought').write({ content: 'secret', redacted: true })
          await stream('log').write({ level: 'info', message: 'm' })
          await stream('metric').write({ name: 'n', value: 1 })
          const events = stream('event')
          await events.write({ a: 1 })
          await events.write(null)
          events.close('enough')
          await events.write('late')
        },
      },
    })
    const client = await raw()
    client.send('tool.invoke', { tool: 'all' })
    await settle()
    const chunks = client.of('stream.chunk').map(({ payload }) => payload)
    expect(chunks).toEqual([
      { sequence: 0, data: 'AQI=' },
      { sequence: 0, role: 'assistant', content: 'hm' },
      { sequence: 0, role: 'assistant', content: '', redacted: true },
      { sequence: 0, log: { level: 'info', message: 'm' } },
      { sequence: 0, metric: { name: 'n', value: 1 } },
      { sequence: 0, event: { a: 1 } },
      { sequence: 1, event: null },
    ])
    expect(client.frames.join('')).not.toContain('secret')
    expect(client.of('stream.close')[0]?.payload).toEqual({ total_chunks: 2, reason: 'enough' })
    expect(client.of('stream.close')).toHaveLength(6)
    expect(client.got.findIndex(({ type }) => type === 'tool.result')).toBeGreaterThan(
      client.got.findLastIndex(({ type }) => type === 'stream.close'),
    )
  })

  it('fails with its job, or alone', async () => {
    const { raw, settle } = serve({
      tools: {
        alone: async (_given, { stream }) => stream('text').fail('UNAVAILABLE', 'no more'),
        together: async (_given, { stream }) => {
          await stream('text').write('a')
          throw new Error('broken')
        },
      },
    })
    const client = await raw()
    client.send('tool.invoke', { tool: 'alone' })
    client.send('tool.invoke', { tool: 'together' })
    await settle()
    expect(
      client
        .of('stream.error')
        .map(({ payload }) => payload.code)
        .map(String)
        .toSorted(),
    ).toEqual(['INTERNAL', 'UNAVAILABLE'])
    expect(client.of('tool.result')).toHaveLength(1)
  })
})

describe('backpressure', () => {
  /** Writes on until it is stopped, and counts. */
  function writer(): { tool: ArcpToolFunction; written(): number; begin(): void } {
    let count = 0
    let begin = (): void => undefined
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    return {
      written: () => count,
      begin,
      tool: async (_given, { stream, signal }) => {
        const text = stream('text')
        await begun
        while (!signal.aborted && count < 1_000) {
          await text.write('x'.repeat(100))
          count += 1
        }
      },
    }
  }

  it('of a client that names a rate slows the stream down, and lets it continue', async () => {
    const { tool, written, begin } = writer()
    const { raw, settle, pass, runtime } = serve({ tools: { tool: { run: tool } }, maxBuffered: 500 })
    const client = await raw()
    client.send('tool.invoke', { tool: 'tool' })
    await settle()
    const { stream_id: streamId } = client.last('stream.open')
    const go = client.stall()
    begin()
    await settle()
    // What the client does not take in holds the stream back by itself.
    const held = written()
    expect(held).toBeLessThan(10)
    await pass(1_000)
    expect(written()).toBe(held)
    client.send('backpressure', { desired_rate_per_second: 10 }, { stream_id: streamId })
    go()
    await settle()
    const slow = written()
    await pass(1_000)
    expect(written() - slow).toBeGreaterThanOrEqual(9)
    expect(written() - slow).toBeLessThanOrEqual(11)
    client.send('backpressure', { buffer_remaining_bytes: 0 }, { stream_id: streamId })
    await settle()
    const stopped = written()
    await pass(10_000)
    expect(written()).toBe(stopped)
    client.send('backpressure', {}, { stream_id: streamId })
    client.send('backpressure', { desired_rate_per_second: 1 }, { stream_id: 'str_none' })
    await pass(60_000)
    expect(written()).toBe(1_000)
    expect(client.last('nack').payload).toMatchObject({ code: 'NOT_FOUND' })
    await runtime.close()
  })
})
