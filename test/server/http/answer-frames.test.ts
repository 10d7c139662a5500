import { describe, expect, it } from 'vitest'
import { answerFrames, type AnswerFramesOptions } from '../../../src/server/http/answer-frames.ts'
import { manualClock } from '../../../src/testing/manual-clock.ts'
import { encodeSseComment, encodeSseFrame } from '../../../src/wire/sse-encoder.ts'
import type { DuplexConnection } from '../../../src/wire/duplex-transport.ts'
import { memoryTransport } from '../../../src/wire/memory-transport.ts'

const ASK = JSON.stringify({ a: 1, http: { method: 'POST', headers: {} } })

interface Met {
  readonly page: DuplexConnection
  readonly clock: ReturnType<typeof manualClock>
  /** How the server ended the connection. */
  readonly ended: string[]
  readonly answered: Promise<void>
}

async function meet(
  handler: AnswerFramesOptions['handler'],
  {
    headers = {},
    origins = [],
  }: { readonly headers?: Record<string, string>; readonly origins?: readonly string[] } = {},
): Promise<Met> {
  const clock = manualClock()
  const ended: string[] = []
  let answered = Promise.resolve()
  const page = await memoryTransport(({ frames, send, close }) => {
    answered = answerFrames({
      handler,
      caller: {
        frames,
        send,
        close: () => {
          ended.push('closed')
          close()
        },
        breakOff: () => {
          ended.push('broken off')
          close()
        },
      },
      opening: { url: new URL('https://app.test/assist'), headers: new Headers(headers) },
      origins,
      headers: [],
      firstFrameTimeoutMs: 10_000,
      clock,
    })
  }).connect({ signal: new AbortController().signal })
  return { page, clock, ended, answered }
}

async function readAll({ frames }: DuplexConnection): Promise<string[]> {
  const all: string[] = []
  for await (const batch of frames) all.push(...batch)
  return all
}

const events = (...chunks: readonly string[]): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
        controller.close()
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  )

const statusOf = (frame: string | undefined): unknown => JSON.parse(frame ?? 'null').status

describe('an answer over frames', () => {
  it('is a head, then one packet a frame, whatever the pieces of the stream are', async () => {
    const all =
      encodeSseFrame({ id: 's', data: '{"stream_id":"s","p":"ä"}' }) +
      encodeSseFrame({ id: 's', data: '{"stream_id":"s"}' })
    const { page, ended, answered } = await meet(async () => events(all.slice(0, 20), all.slice(20, 50), all.slice(50)))
    page.send(ASK)
    const [head, ...packets] = await readAll(page)
    expect(JSON.parse(head ?? '')).toEqual({
      status: 200,
      headers: { 'content-type': 'text/event-stream', date: 'Sun, 01 Mar 2026 08:15:00 GMT' },
    })
    expect(packets).toEqual(['{"stream_id":"s","p":"ä"}', '{"stream_id":"s"}'])
    await answered
    expect(ended).toEqual(['closed'])
  })

  it('has an empty frame for a comment', async () => {
    const { page } = await meet(async () => events(encodeSseComment('open'), encodeSseFrame({ data: '{}' })))
    page.send(ASK)
    expect((await readAll(page)).slice(1)).toEqual(['', '{}'])
  })

  it('says the position of packets that do not hold it, and from then on each', async () => {
    const frames = [
      { id: 'a', data: '{"stream_id":"a"}' },
      { id: '7', data: '{"stream_id":"a"}' },
      { id: '7', data: '{"stream_id":"a"}' },
      { id: 'a', data: '{"stream_id":"a"}' },
    ]
    const { page } = await meet(async () => events(...frames.map(encodeSseFrame)))
    page.send(ASK)
    expect((await readAll(page)).slice(1)).toEqual([
      '{"stream_id":"a"}',
      '{"last_event_id":"7"}',
      '{"stream_id":"a"}',
      '{"stream_id":"a"}',
      '{"last_event_id":"a"}',
      '{"stream_id":"a"}',
    ])
  })

  it('is a body as one frame for anything but an event stream', async () => {
    const { page } = await meet(async () =>
      Response.json({ code: 'slow' }, { status: 429, headers: { 'retry-after': '3' } }),
    )
    page.send(ASK)
    const [head, ...rest] = await readAll(page)
    expect(JSON.parse(head ?? '')).toMatchObject({ status: 429, headers: { 'retry-after': '3' } })
    expect(rest).toEqual(['{"code":"slow"}'])
  })

  it('breaks off where the stream does', async () => {
    const { page, ended, answered } = await meet(
      async () =>
        new Response(new ReadableStream({ start: (controller) => controller.error(new Error('gone')) }), {
          headers: { 'content-type': 'text/event-stream' },
        }),
    )
    page.send(ASK)
    await answered
    expect(ended).toEqual(['broken off'])
  })

  it('is 500 without a word when the handler rejects', async () => {
    const { page } = await meet(() => Promise.reject(new Error('a secret')))
    page.send(ASK)
    const all = await readAll(page)
    expect(all.map(statusOf)).toEqual([500])
    expect(all.join('')).not.toContain('secret')
  })

  it('waits for a caller that reads slowly, and asks the stream for no more meanwhile', async () => {
    let pulls = 0
    let taken = (): void => {}
    const sent: string[] = []
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulls += 1
          if (pulls > 5) controller.close()
          else controller.enqueue(new TextEncoder().encode(encodeSseFrame({ data: `{"n":${pulls}}` })))
        },
      },
      { highWaterMark: 0 },
    )
    async function* frames() {
      yield [ASK]
      await new Promise(() => {})
    }
    void answerFrames({
      handler: async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
      caller: {
        frames: frames(),
        send(frame) {
          sent.push(frame)
          return new Promise((resolve) => {
            taken = resolve
          })
        },
        close() {},
        breakOff() {},
      },
      opening: { url: new URL('https://app.test/assist'), headers: new Headers() },
      origins: [],
      headers: [],
      firstFrameTimeoutMs: 10_000,
      clock: manualClock(),
    })
    const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
    await settle()
    expect([sent.length, pulls]).toEqual([1, 0])
    taken()
    await settle()
    expect([sent.length, pulls]).toEqual([2, 1])
    await settle()
    expect([sent.length, pulls]).toEqual([2, 1])
    taken()
    await settle()
    expect([sent.length, pulls]).toEqual([3, 2])
  })
})

describe('a caller', () => {
  it('that leaves aborts the signal of its request and cancels the stream', async () => {
    let signal: AbortSignal | undefined
    let isCancelled = false
    const { page, answered } = await meet(async (http) => {
      signal = http.signal
      return new Response(
        new ReadableStream({
          cancel() {
            isCancelled = true
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      )
    })
    page.send(ASK)
    await page.frames[Symbol.asyncIterator]().next()
    expect([signal?.aborted, isCancelled]).toEqual([false, false])
    page.close()
    await answered
    expect([signal?.aborted, isCancelled]).toEqual([true, true])
  })

  it('that asks nothing is answered by 408 in the end, and leaves no timer', async () => {
    const { page, clock } = await meet(async () => new Response())
    const reading = readAll(page)
    await clock.advance(9_999)
    page.send('')
    await clock.advance(1)
    expect((await reading).map((frame) => JSON.parse(frame))).toMatchObject([
      { status: 408 },
      { code: 'request_timeout' },
    ])
    expect(clock.pending).toBe(0)
  })

  it('that leaves before it asks leaves no timer', async () => {
    const { page, clock, answered } = await meet(async () => new Response())
    expect(clock.pending).toBe(1)
    page.close()
    await answered
    expect(clock.pending).toBe(0)
  })
})

describe('a page', () => {
  const handler = async (): Promise<Response> => Response.json({ ok: true })

  it.each([
    ['of another origin', { origin: 'https://evil.test' }, [], 403],
    ['of another site, without an origin', { 'sec-fetch-site': 'cross-site' }, [], 403],
    ['of the origin of the server', { origin: 'https://app.test' }, [], 200],
    ['of a listed origin', { origin: 'https://shop.test' }, ['https://shop.test'], 200],
    ['that is none', {}, [], 200],
  ])('%s is answered by its status', async (_, headers, origins, status) => {
    let asked = 0
    const met = await meet(
      async (http) => {
        asked += 1
        return handler.call(http)
      },
      { headers, origins },
    )
    met.page.send(ASK)
    expect(statusOf((await readAll(met.page))[0])).toBe(status)
    expect(asked).toBe(status === 200 ? 1 : 0)
  })
})
