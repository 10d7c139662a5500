import type { EventSourceMessage, FetchEventSourceInit } from '@microsoft/fetch-event-source'
import { fetchEventSource as packageFetchEventSource } from '@microsoft/fetch-event-source'
import { AgentError, isAgentError } from '../base/agent-error.ts'
import { isLongerThan } from './byte-length.ts'
import { createFeed } from './feed.ts'
import type { Fetch } from './fetch-answer.ts'
import { ask, cutOff, frameTooLarge, readChunks, toAnswer, toRequestInit, unreachable } from './fetch-answer.ts'
import { createLineGate } from './line-gate.ts'
import type { SseFrame, Transport, TransportAnswer, TransportLimits, TransportRequest } from './transport.ts'
import { DEFAULT_MAX_FRAME_BYTES } from './transport.ts'

/** The package's function, or one around it that passes on every option it is given. */
export type FetchEventSource = (url: string, init: FetchEventSourceInit) => Promise<void>

export interface FetchEventSourceTransportOptions extends TransportLimits {
  /** The app's own fetchEventSource. It must pass on `fetch`, `signal`, `openWhenHidden` and the callbacks. Default: the package's. */
  readonly fetchEventSource?: FetchEventSource | undefined
  /** What the requests go through in the end. Default: the global fetch, looked up at each call. */
  readonly fetch?: Fetch | undefined
}

/**
 * A transport through `@microsoft/fetch-event-source`, for apps that already configure that package.
 * Answers, errors and batches are those of `fetchTransport`; the package's own retries and its
 * reconnecting on tab switches are off. It lets go of an attempt when the batches end.
 *
 * Where the package cannot follow: it needs `window` and `document` (elsewhere `send` rejects with
 * `invalid_config`), it drops frames whose data is empty and ignores an `id:` that resets the id, and
 * `maxFrameBytes` counts field names and comments for a frame that is not whole yet.
 */
export function fetchEventSourceTransport(options: FetchEventSourceTransportOptions = {}): Transport {
  const { fetchEventSource = packageFetchEventSource, maxFrameBytes = DEFAULT_MAX_FRAME_BYTES } = options
  return {
    async send(request) {
      if (typeof window === 'undefined' || typeof document === 'undefined') throw withoutPage()
      if (request.signal.aborted) throw unreachable(request.signal.reason)
      return attempt(fetchEventSource, options.fetch, request, maxFrameBytes)
    },
  }
}

/** One call of the package. Our fetch feeds it the bytes chunk by chunk, so that it never reads ahead and its frames fall into batches. */
function attempt(fetchEventSource: FetchEventSource, fetch: Fetch | undefined, request: TransportRequest, maxFrameBytes: number): Promise<TransportAnswer> {
  const over = new AbortController()
  const feed = createFeed()
  const inbox = createInbox(maxFrameBytes)
  let asked = false
  let answer: TransportAnswer | undefined
  let failure: unknown

  async function askOnce(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    if (asked) {
      over.abort()
      throw misused('asked a second time within one attempt', 'Leave retrying to capstan.')
    }
    asked = true
    // The caller's signal, not the package's: the package aborts a response it refuses, and we still read its body.
    const response = await ask(fetch, input instanceof Request ? input.url : String(input), { ...init, signal: request.signal })
    answer = toAnswer(response, readBatches)
    // Its status is judged already, and some statuses may have no body.
    return answer.kind === 'events' ? new Response(feed.stream, { headers: response.headers }) : response
  }

  async function* readBatches(body: Response['body']): AsyncGenerator<readonly SseFrame[]> {
    const gate = createLineGate()
    try {
      for await (const chunk of readChunks(body)) {
        // The package copies an unfinished line at every chunk: it is given whole lines only.
        const lines = gate.take(chunk)
        inbox.expect(lines?.byteLength ?? 0)
        if (lines !== undefined && !(await feed.push(lines))) throw cutOff(failure)
        yield inbox.frames
        if (inbox.overflows(gate.held)) throw frameTooLarge(maxFrameBytes)
      }
    } finally {
      feed.close()
      over.abort()
    }
  }

  return new Promise((resolve, reject) => {
    const ended = (error?: unknown): void => {
      failure = error
      feed.abandon()
      reject(isAgentError(error) ? error : misused('ended without an answer', 'It must pass on every option it is given.', error))
    }
    fetchEventSource(request.url, {
      ...toRequestInit(request),
      // Without an `accept` in lower case the package writes one of its own.
      headers: { accept: '*/*', ...Object.fromEntries(new Headers({ ...request.headers })) },
      signal: over.signal,
      openWhenHidden: true,
      fetch: askOnce,
      onopen: async () => {
        if (answer === undefined) throw misused('did not use the fetch it was given', 'It must pass on every option it is given.')
        resolve(answer)
        if (answer.kind === 'body') throw new Error('There is no event stream to read.')
      },
      onmessage: inbox.receive,
      onerror: (error: unknown) => {
        throw error
      },
    }).then(ended, ended)
  })
}

interface Inbox {
  /** Begins a batch: so many bytes go to the package next. */
  expect(bytes: number): void
  receive(message: EventSourceMessage): void
  /** The batch so far. */
  readonly frames: readonly SseFrame[]
  /** Whether a frame is over the limit, `held` bytes of it not being with the package yet. */
  overflows(held: number): boolean
}

/** What the package says, as frames. */
function createInbox(maxFrameBytes: number): Inbox {
  let frames: SseFrame[] = []
  let lastEventId = ''
  let bytesSinceMessage = 0
  let overflowed = false
  return {
    expect(bytes) {
      frames = []
      bytesSinceMessage += bytes
    },
    receive({ id, event, data }) {
      bytesSinceMessage = 0
      if (overflowed) return
      if (id !== '' && !id.includes('\0')) lastEventId = id
      // A comment between blank lines comes as a message without data.
      if (data === '') return
      if (isLongerThan(data, maxFrameBytes)) overflowed = true
      else frames.push({ event: event === '' ? 'message' : event, data, id: lastEventId })
    },
    get frames() {
      return frames
    },
    overflows: (held) => overflowed || bytesSinceMessage + held > maxFrameBytes,
  }
}

function withoutPage(): AgentError {
  return new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message:
      'The fetch-event-source transport cannot send here: @microsoft/fetch-event-source needs a window and a document, which servers and workers lack. Use fetchTransport() instead.',
  })
}

function misused(what: string, advice: string, cause?: unknown): AgentError {
  return new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `The fetchEventSource function of this transport ${what}. ${advice}`,
    cause,
  })
}
