// @vitest-environment jsdom
import { fetchEventSource } from '@microsoft/fetch-event-source'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Fetch } from '../../src/wire/fetch-transport.ts'
import type { FetchEventSource } from '../../src/wire/fetch-event-source-transport.ts'
import { fetchEventSourceTransport } from '../../src/wire/fetch-event-source-transport.ts'
import { loadConformance } from '../conformance/conformance-data.ts'
import { serve } from '../server/peer.ts'
import { DIVERGENCES } from './fetch-event-source-divergences.ts'
import type { Heard, Script } from './hear.ts'
import { hear } from './hear.ts'
import { stage, STORIES } from './transport-stories.ts'

// The same stories run in a real browser in test/e2e/transports.test.ts.

const URL_OF_AGENT = 'https://agent.example/assist'
const STREAM = { headers: { 'content-type': 'text/event-stream' } }

function told(name: string) {
  const story = STORIES.find((candidate) => candidate.name === name)
  if (story === undefined) throw new Error(`There is no story "${name}".`)
  return story
}

/** Runs one of the stories with a fetchEventSource of the app's own. */
async function tell(
  name: string,
  own: FetchEventSource,
  asking: Partial<Script> = {},
): Promise<{ heard: Heard; requests: number }> {
  const story = told(name)
  const { listener } = stage(story)
  let requests = 0
  const url = `${await serve((request, response) => {
    if (!request.url?.endsWith('?heard')) requests += 1
    listener(request, response)
  })}/assist`
  const heard = await hear(fetchEventSourceTransport({ fetchEventSource: own }), { url, ...story.asking, ...asking })
  return { heard, requests }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('the fetch-event-source transport', () => {
  it.each(STORIES)('$name', async (story) => {
    const { listener, judge } = stage(story)
    const url = `${await serve(listener)}/assist`
    await judge(await hear(fetchEventSourceTransport({ maxFrameBytes: story.maxFrameBytes }), { url, ...story.asking }))
  })

  it.each<[what: string, answer: () => Promise<Response>]>([
    ['a refusal', () => Promise.resolve(new Response('no', { status: 401 }))],
    [
      'an answer that is no stream',
      () => Promise.resolve(new Response('<p>', { headers: { 'content-type': 'text/html' } })),
    ],
    ['a stream that ends', () => Promise.resolve(new Response('data: 1\n\n', STREAM))],
    ['a connection that fails', () => Promise.reject(new TypeError('failed to fetch'))],
  ])('never asks again by itself after %s', async (_, answer) => {
    vi.useFakeTimers()
    let requests = 0
    const fetch: Fetch = () => {
      requests += 1
      return answer()
    }
    await hear(fetchEventSourceTransport({ fetch }), { url: URL_OF_AGENT })
    await vi.advanceTimersByTimeAsync(120_000)
    expect(requests).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reads a chunk only when the one before it was taken', async () => {
    let chunks = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          chunks += 1
          controller.enqueue(new TextEncoder().encode('data: 1\n\n'))
        },
      },
      { highWaterMark: 0 },
    )
    const transport = fetchEventSourceTransport({ fetch: () => Promise.resolve(new Response(body, STREAM)) })
    const answer = await transport.send({
      url: URL_OF_AGENT,
      method: 'GET',
      headers: {},
      signal: new AbortController().signal,
    })
    if (answer.kind !== 'events') throw new Error('expected events')
    for await (const frames of answer.batches) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect(frames).toHaveLength(1)
      if (chunks === 3) break
    }
    expect(chunks).toBe(3)
  })

  it('treats an event stream without content as one that ended', async () => {
    const fetch: Fetch = () => Promise.resolve(new Response(null, { status: 204, ...STREAM }))
    expect(await hear(fetchEventSourceTransport({ fetch }), { url: URL_OF_AGENT })).toMatchObject({
      answer: { kind: 'events', status: 204 },
      batches: [],
    })
  })
})

describe("an app's own fetchEventSource", () => {
  it('is called once per attempt and can add what the app needs', async () => {
    const calls: unknown[] = []
    const own: FetchEventSource = (url, init) => {
      calls.push(url)
      return fetchEventSource(url, { ...init, headers: { ...init.headers, authorization: 'Bearer t' } })
    }
    const seen: unknown[] = []
    const origin = await serve((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: 1\n\n')
    })
    const { batches } = await hear(fetchEventSourceTransport({ fetchEventSource: own }), { url: `${origin}/assist` })
    expect(batches.flat()).toHaveLength(1)
    expect(calls).toEqual([`${origin}/assist`])
    expect(seen).toEqual(['Bearer t'])
  })

  it('cannot bring its own retries back in: a cut stream is not asked for again', async () => {
    const { heard, requests } = await tell(
      'gives what was whole and then a typed error when the socket is cut',
      (url, init) => fetchEventSource(url, { ...init, onerror: () => 1 }),
    )
    expect(heard.error).toMatchObject({ code: 'network_error', severity: 'TRANSIENT' })
    expect(requests).toBe(1)
  })

  it('cannot bring its own retries back in: a failed request is not sent again', async () => {
    vi.useFakeTimers()
    let requests = 0
    const fetch: Fetch = () => {
      requests += 1
      return Promise.reject(new TypeError('failed to fetch'))
    }
    const own: FetchEventSource = (url, init) => fetchEventSource(url, { ...init, onerror: () => 1 })
    const { error } = await hear(fetchEventSourceTransport({ fetch, fetchEventSource: own }), { url: URL_OF_AGENT })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(error).toMatchObject({ code: 'network_error' })
    expect(requests).toBe(1)
  })

  it('cannot bring its reconnecting on tab switches back in: the line ends, nothing is sent twice', async () => {
    const { heard, requests } = await tell(
      'stays on the line when the tab is left and shown again',
      (url, init) => fetchEventSource(url, { ...init, openWhenHidden: false }),
      { tell: false },
    )
    expect(heard.error).toMatchObject({ typed: true, code: 'invalid_config' })
    expect(requests).toBe(1)
  })

  it('gets an error when it does not pass on the fetch', async () => {
    const other: typeof fetch = () => Promise.resolve(new Response('data: 1\n\n', STREAM))
    const own: FetchEventSource = (url, init) => fetchEventSource(url, { ...init, fetch: other })
    expect(
      (await hear(fetchEventSourceTransport({ fetchEventSource: own }), { url: URL_OF_AGENT })).error,
    ).toMatchObject({ code: 'invalid_config', message: expect.stringContaining('pass on') })
  })

  it('gets an error when it ends without asking', async () => {
    const { error } = await hear(fetchEventSourceTransport({ fetchEventSource: () => Promise.resolve() }), {
      url: URL_OF_AGENT,
    })
    expect(error).toMatchObject({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL' })
  })

  it.each<[when: string, own: FetchEventSource]>([
    ['before it asks', () => Promise.reject(new Error('no token'))],
    [
      'in a callback of its own',
      (url, init) =>
        fetchEventSource(url, {
          ...init,
          onmessage() {
            throw new Error('no token')
          },
        }),
    ],
  ])('gets its own failure back, typed, when it fails %s', async (_, own) => {
    const fetch: Fetch = () => Promise.resolve(new Response('data: 1\n\n', STREAM))
    const { error } = await hear(fetchEventSourceTransport({ fetch, fetchEventSource: own }), { url: URL_OF_AGENT })
    expect(error).toMatchObject({ typed: true, kind: 'runtime', code: 'app_error', severity: 'FATAL' })
  })
})

interface Entry {
  readonly name: string
  readonly chunks: readonly string[]
  readonly expected: readonly { readonly event: string; readonly data: string; readonly id: string }[]
}

const file = loadConformance<{ readonly entries: readonly Entry[] }>('sse.json')

describe.skipIf(file === undefined)('the SSE reference cases through the fetch-event-source transport', () => {
  it('come out as the standard says but for the documented divergences, however the bytes are cut', async () => {
    const different: string[] = []
    for (const { name, chunks, expected } of file?.entries ?? []) {
      const given = chunks.map((chunk) => Buffer.from(chunk, 'base64'))
      const bytes = Buffer.concat(given)
      const sizes = bytes.length > 4096 ? [1000] : [1, 2, 3, 7]
      const ways = sizes.map((size) =>
        Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        ),
      )
      const outcomes = await Promise.all([given, ...ways].map((cut) => listenTo(cut)))
      const wanted = JSON.stringify(expected.map(({ event, data, id }) => ({ event, data, id })))
      const wrong = outcomes.filter((outcome) => outcome !== wanted).length
      if (wrong > 0) different.push(wrong === outcomes.length ? name : `${name}, cut in some ways only`)
    }
    expect(different.toSorted()).toEqual(Object.values(DIVERGENCES).flat().toSorted())
    expect(file?.entries).toHaveLength(82)
  })

  async function listenTo(chunks: readonly Uint8Array[]): Promise<string> {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
    const { batches, error } = await hear(
      fetchEventSourceTransport({ fetch: () => Promise.resolve(new Response(body, STREAM)) }),
      { url: URL_OF_AGENT },
    )
    return JSON.stringify(error ?? batches.flat().map(({ event, data, id }) => ({ event, data, id })))
  }
})
