import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import type { StreamPacket } from '../../src/protocols/cap/schema/packet.ts'
import { streamPacketSchema } from '../../src/protocols/cap/schema/packet.ts'
import { createSseDecoder } from '../../src/wire/sse-decoder.ts'
import type { SseFrame } from '../../src/wire/transport.ts'

export const REQUEST_ID = '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b10'
const SESSION_ID = '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a20'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A real server on loopback until the test ends; gives its origin. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server always has an AddressInfo once it listens.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface Asking {
  readonly requestId?: string
  readonly query?: string
  readonly metadata?: Record<string, unknown>
  readonly sessionId?: string
}

export function requestBody({
  requestId = REQUEST_ID,
  query = 'Why do rivers meander?',
  metadata = {},
  sessionId = SESSION_ID,
}: Asking = {}): Record<string, unknown> {
  return {
    request_id: requestId,
    context: {
      session_id: sessionId,
      agent_id: '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c001',
      user: { user_id: 'u-77', tier: 'free', locale: 'en' },
      trace: { trace_id: '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c002', span_id: '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c003' },
      permissions: [],
      created_at: '2026-03-01T08:15:00Z',
    },
    payload: { session_id: sessionId, payload: { query }, metadata },
  }
}

export interface Posting extends Asking {
  readonly headers?: Record<string, string>
  readonly body?: BodyInit
  readonly signal?: AbortSignal
}

export function postRequest(url: string, { headers, body, signal, ...asking }: Posting = {}): Request {
  return new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: body ?? JSON.stringify(requestBody(asking)),
    ...(signal && { signal }),
  })
}

export function post(url: string, posting: Posting = {}): Promise<Response> {
  return fetch(postRequest(url, posting))
}

/** Every frame as it comes; throws what the connection throws. */
export async function* framesOf(response: Response): AsyncGenerator<SseFrame> {
  const ready: SseFrame[] = []
  const decoder = createSseDecoder({ onFrame: (frame) => ready.push(frame), maxFrameBytes: 10_000_000 })
  for await (const bytes of response.body ?? []) {
    decoder.push(bytes)
    yield* ready.splice(0)
  }
}

/** Every packet, held to the strict schema a server must write. */
export async function* packetsOf(response: Response): AsyncGenerator<StreamPacket> {
  for await (const frame of framesOf(response)) yield streamPacketSchema.parse(JSON.parse(frame.data))
}

export async function allPackets(response: Response): Promise<StreamPacket[]> {
  return collect(packetsOf(response))
}

export function textOf(packets: readonly StreamPacket[]): string {
  return packets.map((packet) => (packet.op === 'DELTA' ? packet.p : '')).join('')
}

export async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}
