import { AgentError } from '../base/agent-error.ts'
import { createSseDecoder } from './sse-decoder.ts'
import type { SseFrame, Transport, TransportAnswer, TransportLimits } from './transport.ts'
import { DEFAULT_MAX_FRAME_BYTES } from './transport.ts'

/** The part of the platform's fetch this transport uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface FetchTransportOptions extends TransportLimits {
  /** Another fetch: a test's, a proxy's, one with cookies. Default: the global one, looked up at each call. */
  readonly fetch?: Fetch | undefined
}

/** The default transport: the platform's fetch, each chunk parsed whole and at once. Runs in browsers, workers, Node and at the edge. */
export function fetchTransport(options: FetchTransportOptions = {}): Transport {
  const { maxFrameBytes = DEFAULT_MAX_FRAME_BYTES } = options
  return {
    async send({ url, method, headers, body, signal }) {
      const fetch = options.fetch ?? globalThis.fetch
      const response = await fetch(url, { method, headers: { ...headers }, signal, cache: 'no-store', ...(body === undefined ? {} : { body }) }).catch(
        (cause: unknown) => {
          throw unreachable(cause)
        },
      )
      return toAnswer(response, maxFrameBytes)
    },
  }
}

/** Sorts a fetch response into event stream or body. The status wins over the content type. */
function toAnswer(response: Response, maxFrameBytes: number): TransportAnswer {
  const contentType = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const answer = { status: response.status, headers: response.headers, contentType }
  if (response.ok && contentType === 'text/event-stream') {
    return { ...answer, kind: 'events', batches: readFrames(response.body, maxFrameBytes) }
  }
  return { ...answer, kind: 'body', text: (limit) => readText(response.body, limit.maxBytes, limit.truncate === true) }
}

async function* readFrames(body: ReadableStream<Uint8Array> | null, maxFrameBytes: number): AsyncGenerator<readonly SseFrame[]> {
  let frames: SseFrame[] = []
  const decoder = createSseDecoder({ maxFrameBytes, onFrame: (frame) => frames.push(frame) })
  for await (const chunk of readChunks(body)) {
    frames = []
    decoder.push(chunk)
    yield frames
    if (decoder.overflowed) throw frameTooLarge(maxFrameBytes)
  }
}

async function readText(body: ReadableStream<Uint8Array> | null, maxBytes: number, truncate: boolean): Promise<string> {
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

async function* readChunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw cutOff(cause)
      })
      if (done) return
      yield value
    }
  } finally {
    // Lets go of the socket when the reader leaves early; on a broken stream there is nothing left to cancel.
    reader.cancel().catch(() => undefined)
  }
}

function unreachable(cause: unknown): AgentError {
  return new AgentError({
    kind: 'connection',
    code: 'network_error',
    severity: 'TRANSIENT',
    message: 'The agent could not be reached: the server refused the connection, the name did not resolve, or the browser blocked the request (CORS, mixed content, certificate).',
    cause,
  })
}

function cutOff(cause: unknown): AgentError {
  return new AgentError({ kind: 'connection', code: 'network_error', severity: 'TRANSIENT', message: 'The connection broke while the agent was answering.', cause })
}

function frameTooLarge(maxFrameBytes: number): AgentError {
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
