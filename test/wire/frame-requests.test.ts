import { describe, expect, it } from 'vitest'
import type { DuplexConnection } from '../../src/wire/duplex-transport.ts'
import { frameRequests } from '../../src/wire/frame-requests.ts'
import { memoryTransport } from '../../src/wire/memory-transport.ts'
import type { TransportAnswer, TransportRequest } from '../../src/wire/transport.ts'

const HEAD = JSON.stringify({ status: 200, headers: { 'Content-Type': 'text/event-stream' } })

/** Asks an agent that answers the first frame with these, and then closes, unless it stays. */
async function ask(
  answer: readonly string[],
  { stays = false, ...request }: Partial<TransportRequest> & { readonly stays?: boolean } = {},
): Promise<{ readonly answer: TransportAnswer; readonly first: string; readonly agent: DuplexConnection }> {
  let first = ''
  let own: DuplexConnection | undefined
  const transport = frameRequests(() =>
    memoryTransport(async (agent) => {
      own = agent
      for await (const batch of agent.frames) {
        first += batch.join('')
        for (const frame of answer) agent.send(frame)
        if (!stays) agent.close()
      }
    }),
  )
  const given = await transport.send({
    url: 'https://agent.test/assist',
    method: 'POST',
    headers: {},
    body: '{}',
    signal: new AbortController().signal,
    ...request,
  })
  if (own === undefined) throw new Error('Nobody connected.')
  return { answer: given, first, agent: own }
}

async function read(answer: TransportAnswer): Promise<{ data: string[]; ids: string[] }> {
  if (answer.kind !== 'events') throw new Error('It is no event stream.')
  const frames = []
  for await (const batch of answer.batches) frames.push(...batch)
  return { data: frames.map(({ data }) => data), ids: frames.map(({ id }) => id) }
}

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'resolved',
    (error: unknown) => error,
  )

describe('the first frame', () => {
  it.each([
    ['{}', '{"http":{"method":"POST","headers":{"authorization":"Bearer a"}}}'],
    ['{"a":1}', '{"a":1,"http":{"method":"POST","headers":{"authorization":"Bearer a"}}}'],
    [' {"a":{} } ', '{"a":{},"http":{"method":"POST","headers":{"authorization":"Bearer a"}}}'],
    [undefined, '{"http":{"method":"POST","headers":{"authorization":"Bearer a"}}}'],
  ])('is the body %s with what HTTP says next to it', async (body, expected) => {
    const { first } = await ask([HEAD], { body, headers: { authorization: 'Bearer a' } })
    expect(JSON.parse(first)).toEqual(JSON.parse(expected))
  })

  it('holds over a key http that the body has itself', async () => {
    const { first } = await ask([HEAD], { body: '{"http":{"method":"GET"}}' })
    expect(JSON.parse(first)).toEqual({ http: { method: 'POST', headers: {} } })
  })

  it('is refused for a body that is not a JSON object', async () => {
    expect(await rejection(ask([HEAD], { body: '[1]' }))).toMatchObject({ code: 'invalid_config', severity: 'FATAL' })
  })
})

describe('an answer', () => {
  it('is an event stream with one packet a frame', async () => {
    const { answer } = await ask([HEAD, '{"op":1}', '', '{"op":2}'])
    expect(answer).toMatchObject({ kind: 'events', status: 200, contentType: 'text/event-stream' })
    expect(await read(answer)).toEqual({ data: ['{"op":1}', '{"op":2}'], ids: ['', ''] })
  })

  it('counts an empty frame as a sign of life, before the head too', async () => {
    const { answer } = await ask(['', HEAD, '', '{"op":1}'])
    expect((await read(answer)).data).toEqual(['{"op":1}'])
  })

  it('gives the position of the packets after a frame that names one', async () => {
    const { answer } = await ask([HEAD, '{"op":1}', '{"last_event_id":"7 \\u00e4"}', '{"op":2}', '{"op":3}'])
    expect(await read(answer)).toEqual({ data: ['{"op":1}', '{"op":2}', '{"op":3}'], ids: ['', '7 ä', '7 ä'] })
  })

  it('of a peer that begins with a packet is an event stream', async () => {
    const { answer } = await ask(['{"op":"delta","p":"a"}', '{"op":"close"}'])
    expect(await read(answer)).toEqual({ data: ['{"op":"delta","p":"a"}', '{"op":"close"}'], ids: ['', ''] })
  })

  it('gives what is not JSON to the reader of packets', async () => {
    expect((await read((await ask(['{nope'])).answer)).data).toEqual(['{nope'])
  })

  it('is a body where the head says so, with its status and headers', async () => {
    const head = JSON.stringify({ status: 429, headers: { 'content-type': 'application/json', 'retry-after': '3' } })
    const { answer } = await ask([head, '{"code":"slow"}'])
    expect(answer).toMatchObject({ kind: 'body', status: 429, contentType: 'application/json' })
    expect(answer.headers.get('retry-after')).toBe('3')
    expect(answer.kind === 'body' && (await answer.text({ maxBytes: 100 }))).toBe('{"code":"slow"}')
  })

  it('is an error page although its head names an event stream, as the status wins', async () => {
    const head = JSON.stringify({ status: 503, headers: { 'content-type': 'text/event-stream' } })
    expect((await ask([head])).answer).toMatchObject({ kind: 'body', status: 503 })
  })

  it.each([
    ['its body has come', [JSON.stringify({ status: 200, headers: {} }), '{}']],
    ['its packets are left', [HEAD, '{}', '{}']],
  ])('closes its connection when %s', async (_, frames) => {
    const { answer, agent } = await ask(frames, { stays: true })
    if (answer.kind === 'events') {
      agent.send('')
      for await (const _batch of answer.batches) break
    }
    expect(() => agent.send('')).toThrow('The connection is closed.')
  })

  it('is a typed error when the connection ends before it', async () => {
    expect(await rejection(ask([]))).toMatchObject({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT' })
  })

  it.each([
    JSON.stringify({ status: 7, headers: {} }),
    JSON.stringify({ status: 200, headers: { 'a b': 'c' } }),
    JSON.stringify({ status: 200, headers: { a: 'b\nc' } }),
  ])('is a typed error when its head is one that HTTP does not have: %s', async (head) => {
    expect(await rejection(ask([head, '{}']))).toMatchObject({ kind: 'protocol', code: 'invalid_response' })
  })

  it('lets the page continue between the pieces of a long batch', async () => {
    const packet = `{"p":"${'x'.repeat(30_000)}"}`
    const { answer } = await ask([HEAD, ...Array.from({ length: 9 }, () => packet)])
    const sizes: number[] = []
    if (answer.kind === 'events') for await (const batch of answer.batches) sizes.push(batch.length)
    expect(sizes.filter((size) => size > 0)).toEqual([3, 3, 3])
  })
})

describe('aborting', () => {
  it('closes the connection', async () => {
    const abort = new AbortController()
    const { answer, agent } = await ask([HEAD], { stays: true, signal: abort.signal })
    const reading = read(answer)
    agent.send('{}')
    abort.abort()
    expect(() => agent.send('{}')).toThrow('The connection is closed.')
    expect((await reading).data).toEqual([])
  })
})
