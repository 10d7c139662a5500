import { describe, expect, it } from 'vitest'
import { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import { assertServiceRequest, prepareRequest } from '../../../src/protocols/cap/assert-request.ts'
import { capProtocol } from '../../../src/protocols/cap/adapter.ts'
import type { ServiceRequestInput } from '../../../src/protocols/cap/schema/request.ts'
import { backoff } from '../../../src/base/backoff.ts'
import { createSession } from '../../../src/session/session.ts'
import { createAssist } from '../../../src/state/assist.ts'
import { fetchTransport } from '../../../src/wire/fetch-transport.ts'
import { collect, requestBody } from '../../server/peer.ts'

const AT_ONCE = backoff({ baseMs: 1, capMs: 1 })
const FIRST = '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b10'
const SECOND = '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b11'
const STREAM = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
const packet = (seq: number, op: string, p: string): string =>
  `data: ${JSON.stringify({ stream_id: STREAM, seq, op, t: '2026-03-01T08:15:00Z', p })}\n\n`
const ANSWER = packet(1, 'DELTA', 'Well.') + packet(2, 'CLOSE', 'finished')

/** The peer's builder writes exactly this shape. */
const askFully = (): ServiceRequestInput => requestBody({ requestId: FIRST }) as unknown as ServiceRequestInput

interface Posted {
  readonly header: string | null
  readonly body: string
}

/** A client whose first connections break off after the first packet, and all that it posted. */
function clientOf({
  broken = 0,
  onPost = () => {},
}: { readonly broken?: number; readonly onPost?: (ordinal: number) => void } = {}) {
  const posted: Posted[] = []
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    // This client writes its bodies as text.
    posted.push({ header: new Headers(init.headers).get('x-request-id'), body: init.body as string })
    onPost(posted.length)
    return new Response(posted.length <= broken ? packet(1, 'DELTA', 'Well.') : ANSWER, {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  return { client: new CapClient({ baseUrl: 'https://agent.example', fetch, retry: AT_ONCE }), fetch, posted }
}

const queryOf = ({ body }: Posted): unknown => JSON.parse(body).payload.payload.query
const idOf = ({ body }: Posted): unknown => JSON.parse(body).request_id

function change(request: ServiceRequestInput): void {
  request.request_id = SECOND
  request.payload.payload = { query: 'And then?' }
}

describe('the body of a request', () => {
  it('is that of the object as it is when assist() is called, however often the object was sent before', async () => {
    const { client, posted } = clientOf()
    const request = askFully()
    await collect(client.assist(request))
    change(request)
    await collect(client.assist(request))
    expect(posted.map(queryOf)).toEqual(['Why do rivers meander?', 'And then?'])
    expect(posted.map(idOf)).toEqual([FIRST, SECOND])
    expect(posted.map(({ header }) => header)).toEqual([FIRST, SECOND])
  })

  it('is not changed by what happens to the object between assist() and the loop', async () => {
    const { client, posted } = clientOf()
    const request = askFully()
    const stream = client.assist(request)
    change(request)
    await collect(stream)
    expect(posted.map((post) => [queryOf(post), idOf(post), post.header])).toEqual([
      ['Why do rivers meander?', FIRST, FIRST],
    ])
  })

  it('is the same on every attempt of one run, whatever happens to the object in between', async () => {
    const request = askFully()
    const { client, posted } = clientOf({ broken: 2, onPost: () => change(request) })
    await collect(client.assist(request))
    expect(posted).toHaveLength(3)
    expect(new Set(posted.map(({ body }) => body)).size).toBe(1)
    expect(posted.map(idOf)).toEqual([FIRST, FIRST, FIRST])
  })

  it('is its own for each of two runs of one object at the same time', async () => {
    const { client, posted } = clientOf({ broken: 2 })
    const request = askFully()
    const first = client.assist(request)
    change(request)
    const second = client.assist(request)
    await Promise.all([collect(first), collect(second)])
    expect(posted).toHaveLength(4)
    for (const post of posted)
      expect([idOf(post), queryOf(post)]).toEqual(
        post.header === FIRST ? [FIRST, 'Why do rivers meander?'] : [SECOND, 'And then?'],
      )
  })

  it('is that of the object as it is when a hook or a query starts the run', async () => {
    const { client, posted } = clientOf()
    const assist = createAssist({ client: () => client, prepare: prepareRequest })
    const request = askFully()
    const started = assist.start(request, request.request_id)
    change(request)
    await started
    await assist.start(request, request.request_id)
    expect(posted.map(queryOf)).toEqual(['Why do rivers meander?', 'And then?'])
  })

  it('is made once for each run of your own session', async () => {
    const request = askFully()
    const { client, fetch, posted } = clientOf({ broken: 1, onPost: () => change(request) })
    const protocol = capProtocol({ baseUrl: 'https://agent.example', transport: fetchTransport({ fetch }) })
    for (const requestId of [FIRST, SECOND]) {
      await new Promise<void>((resolve) => {
        const own = {
          protocol,
          retry: AT_ONCE,
          timeoutMs: 1000,
          environment: client.environment,
          createRequest: () => request,
        }
        createSession({ client: own, request, requestId, onEvents: () => {}, onEnded: () => resolve() }).start()
      })
    }
    expect(posted.map(queryOf)).toEqual(['Why do rivers meander?', 'Why do rivers meander?', 'And then?'])
  })

  it('has to be JSON: what has no form in it is refused before anything is sent', () => {
    const { client, posted } = clientOf()
    const request = askFully()
    request.payload.payload = { query: 5n }
    expect(() => client.assist(request)).toThrow(
      expect.objectContaining({
        name: 'CapProtocolError',
        code: 'invalid_request',
        message: expect.stringContaining('JSON'),
      }),
    )
    expect(posted).toEqual([])
  })

  it('is checked as it will be sent', () => {
    const { client } = clientOf()
    // Wrong on purpose: JSON has no word for undefined, and leaves the key out.
    const request = { ...askFully(), context: undefined } as unknown as ServiceRequestInput
    expect(() => client.assist(request)).toThrow(/context must be an object/)
    expect(() => assertServiceRequest(request)).toThrow(/context must be an object/)
  })
})
