import { AgentError } from '../base/agent-error.ts'
import type { SseFrame, TransportAnswer, TransportRequest } from './transport.ts'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

/** The part of the platform's fetch the transports use. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options of every request: never from a cache, because an answer is not repeatable. */
export function toRequestInit({ method, headers, body, signal }: TransportRequest): RequestInit {
  return { method, headers: { ...headers }, signal, cache: 'no-store', ...(body === undefined ? {} : { body }) }
}

/** Asks once. Rejects with a typed error when no answer came, an aborted signal included. */
export async function ask(fetch: Fetch | undefined, url: string, init: RequestInit): Promise<Response> {
  const asked = fetch ?? globalThis.fetch
  return asked(url, init).catch((cause: unknown) => {
    throw isPathWithoutPage(url, cause) ? pathWithoutPage(url, cause) : networkError(cause)
  })
}

/** A path is an address on a page only. A fetch of the app's own may know what to do with one: then the cause is another. */
function isPathWithoutPage(url: string, cause: unknown): boolean {
  if (URL.canParse(url) || !(cause instanceof TypeError && /\burl\b/i.test(cause.message))) return false
  try {
    return new Request(url).url === ''
  } catch {
    return true
  }
}

/** One value of a list: commas in quoted strings belong to it. */
const VALUES = /("(\\.|[^"\\])*"?|[^,"])+/g

/**
 * Essence of a `Content-Type` header, in lower case and without parameters: the last valid value of a list counts, as "extract a MIME
 * type" of the Fetch standard has it. Empty when there is none.
 */
export function mediaTypeOf(contentType: string | null | undefined): string {
  let found = ''
  for (const [value] of (contentType ?? '').matchAll(VALUES)) {
    const essence = value.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (/^[^\s/]+\/[^\s/]+$/.test(essence) && essence !== '*/*') found = essence
  }
  return found
}

/** Sorts a fetch response into event stream or body. The status wins over the content type. */
export function toAnswer(
  response: Response,
  readFrames: (body: Response['body']) => AsyncIterable<readonly SseFrame[]>,
): TransportAnswer {
  const contentType = mediaTypeOf(response.headers.get('content-type'))
  const answer = { status: response.status, headers: response.headers, contentType }
  if (response.ok && contentType === 'text/event-stream')
    return { ...answer, kind: 'events', batches: readFrames(response.body) }
  return { ...answer, kind: 'body', text: (limit) => readText(response.body, limit.maxBytes, limit.truncate === true) }
}

async function readText(body: Response['body'], maxBytes: number, truncate: boolean): Promise<string> {
  const utf8 = new TextDecoder()
  let text = ''
  let left = maxBytes
  for await (const chunk of readChunks(body)) {
    if (chunk.byteLength > left) {
      if (!truncate) throw responseTooLarge(maxBytes)
      return text + utf8.decode(chunk.subarray(0, left))
    }
    left -= chunk.byteLength
    text += utf8.decode(chunk, { stream: true })
  }
  return text + utf8.decode()
}

/** Bytes that are worked through in one go: some hundred packets, a few milliseconds. */
const PIECE_BYTES = 65_536

/**
 * The bytes as they arrive, in pieces of at most 64 kB, with a pause after each 64 kB, so that a fast server does not
 * block the page. Throws a typed error when the connection breaks; cancels it when the reader stops.
 */
export async function* readChunks(body: Response['body']): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (body === null) return
  const reader = body.getReader()
  let sincePause = 0
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw cutOff(cause)
      })
      if (done) return
      for (let at = 0; at < value.byteLength; at += PIECE_BYTES) {
        if (sincePause >= PIECE_BYTES) {
          sincePause = 0
          await yieldToEventLoop()
        }
        const piece = value.subarray(at, at + PIECE_BYTES)
        sincePause += piece.byteLength
        yield piece
      }
    }
  } finally {
    // Lets go of the socket when the reader leaves early; on a broken stream there is nothing left to cancel.
    reader.cancel().catch(() => undefined)
  }
}

/** No answer came. */
export function networkError(cause: unknown): AgentError {
  return new AgentError({
    kind: 'connection',
    code: 'network_error',
    severity: 'TRANSIENT',
    message:
      'The agent could not be reached: the server refused the connection, the name did not resolve, or the browser blocked the request (CORS, mixed content, certificate).',
    cause,
  })
}

function pathWithoutPage(url: string, cause: unknown): AgentError {
  return new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `The request goes to the path ${JSON.stringify(url)}, and this code runs where there is no page to complete it: in a server component, a route handler or a script. Give the client an absolute baseUrl there, such as https://app.example/cap.`,
    cause,
  })
}

/** The answer broke off. */
export function cutOff(cause?: unknown): AgentError {
  return new AgentError({
    kind: 'connection',
    code: 'network_error',
    severity: 'TRANSIENT',
    message: 'The connection broke while the agent was answering.',
    cause,
  })
}

export function frameTooLarge(maxFrameBytes: number): AgentError {
  return new AgentError({
    kind: 'protocol',
    code: 'frame_too_large',
    severity: 'FATAL',
    message: `The agent sent a single event of more than ${maxFrameBytes} bytes, so reading was stopped. Raise maxFrameBytes if such events are expected.`,
    details: { maxFrameBytes },
  })
}

function responseTooLarge(maxBytes: number): AgentError {
  return new AgentError({
    kind: 'protocol',
    code: 'response_too_large',
    severity: 'FATAL',
    message: `The agent's answer has more than ${maxBytes} bytes, so reading was stopped.`,
    details: { maxBytes },
  })
}
