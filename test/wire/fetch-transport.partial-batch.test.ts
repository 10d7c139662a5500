import { describe, expect, it } from 'vitest'
import { capProtocol } from '../../src/protocols/cap/adapter.ts'
import type { ServiceRequestInput } from '../../src/protocols/cap/schema/request.ts'
import { fetchTransport, completesSomething, PARTIAL_BATCH } from '../../src/wire/fetch-transport.ts'

const utf8 = new TextEncoder()

function answering(chunks: readonly string[]): () => Promise<Response> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(utf8.encode(chunk))
      controller.close()
    },
  })
  return () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
}

/** What each chunk counts as, by a whole transport. */
async function signsOf(chunks: readonly string[]): Promise<string[]> {
  const transport = fetchTransport({ fetch: answering(chunks) })
  const answer = await transport.send({
    url: 'https://agent.example',
    method: 'POST',
    headers: {},
    signal: new AbortController().signal,
  })
  if (answer.kind !== 'events') throw new Error('There is no event stream to read.')
  const signs: string[] = []
  for await (const frames of answer.batches)
    signs.push(frames === PARTIAL_BATCH ? 'partial' : frames.length === 0 ? 'empty' : 'frames')
  return signs
}

describe('a chunk', () => {
  it.each<[name: string, chunks: readonly string[], signs: readonly string[]]>([
    ['of half a line completes nothing', ['da', 'ta: x', '\n\n'], ['partial', 'partial', 'frames']],
    [
      'of whole lines of a frame that goes on completes nothing',
      ['data: x\n', 'data: y\r\n', '\n'],
      ['partial', 'partial', 'frames'],
    ],
    [
      'of a comment is a sign of life, and half a comment is not',
      [': ali', 've\n', ':\n\n'],
      ['partial', 'empty', 'empty'],
    ],
    [
      'of a comment in the middle of a frame is a sign of life',
      ['data: x\n', ': alive\n', '\n'],
      ['partial', 'empty', 'frames'],
    ],
    [
      'of a block without data is a sign of life',
      ['event: ping\n\n', 'retry: 5\r\n\r\n', 'id: 1\r\r'],
      ['empty', 'empty', 'empty'],
    ],
    ['of fields alone is none', ['event: ping\n', 'id: 1\n'], ['partial', 'partial']],
  ])('%s', async (_, chunks, signs) => {
    expect(await signsOf(chunks)).toEqual(signs)
  })

  it('with a CRLF at the end of a field is not an empty line', () => {
    expect(completesSomething('data: x\r\n')).toBe(false)
    expect(completesSomething('data: x\r\n\r\n')).toBe(true)
    expect(completesSomething('data: x\r\r')).toBe(true)
    expect(completesSomething(undefined)).toBe(false)
  })

  it('that completes nothing is reported to the session as such', async () => {
    const protocol = capProtocol({
      baseUrl: 'https://agent.example',
      transport: fetchTransport({ fetch: answering(['data: {', ': not a comment', '\n', ': a comment\n']) }),
      mode: 'tolerant',
    })
    const partial: (boolean | undefined)[] = []
    // The transport above answers whatever is asked.
    const request = { payload: {} } as ServiceRequestInput
    for await (const batch of protocol.open({
      request,
      requestId: 'r1',
      attempt: 0,
      cursors: [],
      signal: new AbortController().signal,
      wait: async () => {},
    }))
      partial.push(batch.partial)
    expect(partial).toEqual([undefined, true, true, true, false])
  })
})
