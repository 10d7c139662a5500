import { createSseDecoder } from './sse-decoder.ts'
import {
  type SseFrame,
  type Transport,
  type TransportLimits,
  DEFAULT_MAX_FRAME_BYTES,
  type TransportAnswer,
  type TransportRequest,
} from './transport.ts'
import { type AgentErrorInit, AgentError } from '../base/agent-error.ts'
import { noop } from '../base/noop.ts'

export interface FetchTransportOptions extends TransportLimits {
  /** Another fetch: a test's, a proxy's, one with cookies. @default the global `fetch`, looked up at each call */
  readonly fetch?: Fetch | undefined
}

/**
 * The default transport: the platform's fetch, each chunk parsed synchronously as a whole. Runs in browsers, workers, Node and
 * at the edge.
 *
 * @example
 * ```ts
 * import { CapClient, fetchTransport } from 'capstan'
 *
 * const transport = fetchTransport({ fetch: (input, init) => fetch(input, { ...init, credentials: 'include' }) })
 * const client = new CapClient({ baseUrl: 'https://agent.example', transport })
 * ```
 */
export function fetchTransport(options: FetchTransportOptions = {}): Transport {
  const { maxFrameBytes = DEFAULT_MAX_FRAME_BYTES } = options
  return {
    async send(request) {
      const response = await askWithinOrigin(options.fetch, request.url, toRequestInit(request))
      return toAnswer(response, (body) => readFrames(body, maxFrameBytes))
    },
  }
}

async function* readFrames(body: Response['body'], maxFrameBytes: number): AsyncGenerator<readonly SseFrame[]> {
  let frames: SseFrame[] = []
  const decoder = createSseDecoder({ maxFrameBytes, onFrame: (frame) => frames.push(frame) })
  for await (const chunk of readChunks(body)) {
    frames = []
    decoder.push(chunk)
    yield frames.length > 0 || decoder.completed ? frames : PARTIAL_BATCH
    if (decoder.overflowed) throw frameTooLarge(maxFrameBytes)
  }
}

/** Statuses of redirects: the first three turn a POST into a GET without its body. */
const REDIRECTS = [301, 302, 303, 307, 308]

/** More redirects in a row lead nowhere. */
const MOST_REDIRECTS = 5

/**
 * Asks once over HTTP, and again where a redirect leads within the origin of the request: its headers and body, which may hold a key, go
 * to no other.
 *
 * @throws AgentError as `ask`, `invalid_config` for a URL that is not of HTTP, `http_error` for a redirect that is not followed
 */
export async function askWithinOrigin(fetch: Fetch | undefined, url: string, init: RequestInit): Promise<Response> {
  if (URL.canParse(url) && !/^https?:$/.test(new URL(url).protocol))
    throw fault({ kind: 'protocol', code: 'invalid_config', message: 'Agents are reached over http and https only.' })
  for (let at = url, count = 0; ; count++) {
    const response = await ask(fetch, at, { ...init, redirect: 'manual' })
    const { type, status, headers } = response
    if (type === 'opaqueredirect') return followOnPage(fetch, response.url || at, init)
    const location = headers.get('location')
    if (location === null || !REDIRECTS.includes(status)) return response
    response.body?.cancel().catch(noop)
    const from = response.url || at
    const to = URL.canParse(location, from) ? new URL(location, from) : undefined
    if (to === undefined || to.origin !== new URL(from).origin)
      throw refused(` to ${to?.origin ?? 'no URL'}`, { status })
    if (init.method !== 'GET' && status < 307) throw refused(` with status ${status}, which drops the body`, { status })
    if (count === MOST_REDIRECTS) throw refused(' in a circle', { status })
    at = to.href
  }
}

/**
 * A page is not told where a redirect leads. Its browser can follow one within the page's own origin only. A sandboxed frame has an opaque
 * origin, which its location does not tell.
 *
 * @param url absolute, or relative where a `fetch` of the app does not name the URL of its response
 */
async function followOnPage(fetch: Fetch | undefined, url: string, init: RequestInit): Promise<Response> {
  const { origin, location }: { readonly origin?: string; readonly location?: Pick<Location, 'href'> } = globalThis
  if (!URL.canParse(url, location?.href) || new URL(url, location?.href).origin !== origin) throw refused('', {})
  return (fetch ?? globalThis.fetch)(url, { ...init, redirect: 'follow', mode: 'same-origin' }).catch(
    (cause: unknown) => {
      throw init.signal?.aborted === true ? networkError(cause) : refused('', { cause })
    },
  )
}

function refused(how: string, rest: Pick<AgentErrorInit, 'status' | 'cause'>): AgentError {
  const message = `The agent redirected the request${how}. Redirects are followed within the origin of the request only, because its key and message would go along: give the client the final URL.`
  return fault({ kind: 'runtime', code: 'http_error', message, ...rest })
}

function fault(init: Omit<AgentErrorInit, 'severity'>): AgentError {
  return new AgentError({ ...init, severity: 'FATAL' })
}

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

interface Host {
  setImmediate?(callback: () => void): unknown
}

/** Taken when the module is loaded: fake timers that a test installs later do not stop the reading of a stream. */
const { setImmediate } = globalThis as Host

/**
 * Lets the page do whatever else waits: paint, answer a press. Over a message channel, as timers of a hidden page come
 * once a second; by a timer where there is none. Servers have `setImmediate`: there a channel costs more than many packets.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (setImmediate !== undefined) return void setImmediate(resolve)
    if (typeof MessageChannel === 'undefined') return void setTimeout(resolve)
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}

/**
 * The batch of a chunk that completed nothing: no frame, no comment, no blank line. By identity, so that transports which
 * do not know it continue to give plain empty arrays, which count as signs of life.
 */
export const PARTIAL_BATCH: readonly SseFrame[] = Object.freeze([])

/** A comment, or the end of a block, in text that begins where a line begins. */
const COMPLETES = /(?:^|\n|\r(?!\n))[:\r\n]/

/** Whether whole lines hold a comment or end a block. @param lines undefined when no line is whole yet */
export function completesSomething(lines: string | undefined): boolean {
  return lines !== undefined && COMPLETES.test(lines)
}
