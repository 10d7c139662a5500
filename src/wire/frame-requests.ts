import { parseBoundedJson } from '../base/bounded-json.ts'
import { isJsonObject } from '../base/json-object.ts'
import { AgentError } from '../base/agent-error.ts'
import { connectionLost, type DuplexTransport, invalidTransport } from './duplex-transport.ts'
import { mediaTypeOf, toAnswer, yieldToEventLoop } from './fetch-transport.ts'
import type { SseFrame, Transport, TransportRequest } from './transport.ts'
import { type WebSocketTransportOptions, webSocketTransport } from './web-socket-transport.ts'

type Frames = AsyncIterator<readonly string[], undefined>

/** Frames that are worked through in one go, in characters: as many as `readChunks` takes of a body. */
const PIECE_LENGTH = 65_536

/** Statuses whose answer has no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

/** Of a peer that says nothing of its answer and begins with a packet. */
const EVENTS: AnswerHead = { status: 200, headers: { 'content-type': 'text/event-stream' } }

/**
 * Requests and answers of HTTP over connections of text frames, one connection each. The first frame is the request; what comes back
 * is a head, then one packet a frame, or a body as one frame. An empty frame is a sign of life.
 */
export function frameRequests(connectTo: (url: string) => DuplexTransport): Transport {
  return {
    async send(request) {
      const connection = await connectTo(request.url).connect({ signal: request.signal })
      let isStreaming = false
      try {
        connection.send(writeRequestFrame(request))
        const frames = connection.frames[Symbol.asyncIterator]()
        const { head, rest } = await readHead(frames)
        const isOk = head.status >= 200 && head.status < 300
        isStreaming = isOk && mediaTypeOf(head.headers['content-type']) === 'text/event-stream'
        const body = isStreaming || BODILESS.has(head.status) ? null : await readBody(frames, rest)
        return toAnswer(toResponse(head, body), () => readBatches(frames, rest))
      } finally {
        if (!isStreaming) connection.close()
      }
    },
  }
}

async function readHead(frames: Frames): Promise<{ readonly head: AnswerHead; readonly rest: readonly string[] }> {
  for (;;) {
    const { done, value: batch } = await frames.next()
    if (done === true) throw connectionLost('The agent closed the connection before it answered.')
    const at = batch.findIndex((frame) => frame !== '')
    const first = batch[at]
    if (first === undefined) continue
    const head = toHead(first)
    return head === undefined ? { head: EVENTS, rest: batch.slice(at) } : { head, rest: batch.slice(at + 1) }
  }
}

/** Undefined for a packet: none has a status. */
function toHead(frame: string): AnswerHead | undefined {
  let value: unknown
  try {
    value = parseBoundedJson(frame)
  } catch {
    // The reader of packets reports what is wrong with it.
    return undefined
  }
  if (!isJsonObject(value) || typeof value.status !== 'number') return undefined
  const headers: Record<string, string> = {}
  for (const [name, text] of Object.entries(isJsonObject(value.headers) ? value.headers : {}))
    if (typeof text === 'string') headers[name.toLowerCase()] = text
  return { status: value.status, headers }
}

async function readBody(frames: Frames, rest: readonly string[]): Promise<string> {
  let batch = rest
  for (;;) {
    const body = batch.find((frame) => frame !== '')
    if (body !== undefined) return body
    const { done, value } = await frames.next()
    if (done === true) return ''
    batch = value
  }
}

function toResponse({ status, headers }: AnswerHead, body: string | null): Response {
  try {
    return new Response(body, { status, headers })
  } catch (cause) {
    throw new AgentError({
      kind: 'protocol',
      code: 'invalid_response',
      severity: 'FATAL',
      message: 'The agent began its answer with a status or headers that HTTP does not have.',
      cause,
    })
  }
}

async function* readBatches(frames: Frames, rest: readonly string[]): AsyncGenerator<readonly SseFrame[]> {
  let id = ''
  let batch = rest
  try {
    for (;;) {
      let read: SseFrame[] = []
      let length = 0
      for (const frame of batch) {
        if (frame.startsWith(POSITION)) id = readPosition(frame) ?? id
        else if (frame !== '') read.push({ event: 'message', data: frame, id })
        length += frame.length
        if (length < PIECE_LENGTH) continue
        yield read
        await yieldToEventLoop()
        read = []
        length = 0
      }
      if (read.length > 0 || batch !== rest) yield read
      const { done, value } = await frames.next()
      if (done === true) return
      batch = value
    }
  } finally {
    await frames.return?.()
  }
}

function readPosition(frame: string): string | undefined {
  try {
    const value = parseBoundedJson(frame)
    return isJsonObject(value) && typeof value.last_event_id === 'string' ? value.last_event_id : undefined
  } catch {
    return undefined
  }
}

/** What HTTP says beside a body, as the key `http` of the first frame. */
interface RequestHead {
  readonly method: TransportRequest['method']
  readonly headers: Readonly<Record<string, string>>
}

/** What HTTP says before a body, as the first frame of an answer. */
interface AnswerHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** Begins a frame that gives the position of the packets after it, where they do not hold it themselves. No packet begins so. */
export const POSITION = '{"last_event_id":'

/**
 * The first frame of a connection: the body of a request with one key more. The models of CAP leave keys out that they do not
 * know, so that an agent that reads no `http` can answer it too.
 *
 * @throws AgentError `invalid_config` for a body that is not a JSON object
 */
function writeRequestFrame({ method, headers, body = '{}' }: TransportRequest): string {
  const head: RequestHead = { method, headers }
  const keys = body.trim()
  if (!keys.startsWith('{')) throw invalidTransport('Only requests whose body is a JSON object go over a WebSocket.')
  const begun = keys.slice(0, -1).trimEnd()
  return `${begun}${begun === '{' ? '' : ','}"http":${JSON.stringify(head)}}`
}

export interface WebSocketOptions extends Omit<WebSocketTransportOptions, 'url'> {
  /**
   * The address of a connection, given the one of the request with `ws:` or `wss:` in front: for its own path, or a ticket.
   *
   * @default the address of the request
   */
  readonly address?: ((url: string) => string | Promise<string>) | undefined
}

/**
 * Requests over WebSockets in place of HTTP, one connection for each run or command: for networks that hold event streams back.
 * Credentials and headers are in the first frame, since pages cannot give a WebSocket headers.
 *
 * @example
 * ```ts
 * import { CapClient, webSocket } from 'capstan'
 *
 * const client = new CapClient({ baseUrl: 'https://agent.example', transport: webSocket() })
 * for await (const text of client.chat('Why do rivers meander?')) console.log(text)
 * ```
 */
export function webSocket({ address = (url) => url, ...options }: WebSocketOptions = {}): Transport {
  return frameRequests((url) => webSocketTransport({ ...options, url: () => address(toSocketUrl(url)) }))
}

/** A path is an address on a page only. */
function toSocketUrl(url: string): string {
  const { location }: { readonly location?: { readonly href: string } } = globalThis
  if (!URL.canParse(url, location?.href))
    throw invalidTransport(
      `The request goes to the path ${JSON.stringify(url)}, and there is no page here to complete it. Give the client an absolute baseUrl.`,
    )
  const absolute = new URL(url, location?.href)
  absolute.protocol = absolute.protocol.replace('http', 'ws')
  return absolute.href
}
