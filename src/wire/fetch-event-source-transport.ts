import type { EventSourceMessage, FetchEventSourceInit } from '@microsoft/fetch-event-source'
import { fetchEventSource as packageFetchEventSource } from '@microsoft/fetch-event-source'
import { AgentError, isAgentError, configError } from '../base/agent-error.ts'
import { noop } from '../base/noop.ts'
import { isLongerThan, createLineBuffer, heldBytes, takeLines } from './sse-decoder.ts'
import {
  askWithinOrigin,
  type Fetch,
  cutOff,
  frameTooLarge,
  readChunks,
  toAnswer,
  toRequestInit,
  networkError,
  completesSomething,
  PARTIAL_BATCH,
} from './fetch-transport.ts'
import type { SseFrame, Transport, TransportAnswer, TransportLimits, TransportRequest } from './transport.ts'
import { DEFAULT_MAX_FRAME_BYTES } from './transport.ts'

/** The package's function, or one around it that passes on every option it is given. */
export type FetchEventSource = (url: string, init: FetchEventSourceInit) => Promise<void>

export interface FetchEventSourceTransportOptions extends TransportLimits {
  /**
   * The app's own fetchEventSource. It must pass on `fetch`, `signal`, `openWhenHidden` and the callbacks.
   *
   * @default the package's
   */
  readonly fetchEventSource?: FetchEventSource | undefined
  /** What the requests go through in the end. @default the global `fetch`, looked up at each call */
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
 *
 * @example
 * ```ts
 * import { CapClient } from 'capstan'
 * import { fetchEventSourceTransport } from 'capstan/fetch-event-source'
 *
 * const client = new CapClient({ baseUrl: 'https://agent.example', transport: fetchEventSourceTransport() })
 * ```
 */
export function fetchEventSourceTransport(options: FetchEventSourceTransportOptions = {}): Transport {
  const { fetchEventSource = packageFetchEventSource, maxFrameBytes = DEFAULT_MAX_FRAME_BYTES } = options
  return {
    async send(request) {
      if (typeof window === 'undefined' || typeof document === 'undefined') throw withoutPage()
      if (request.signal.aborted) throw networkError(request.signal.reason)
      return attempt(fetchEventSource, options.fetch, request, maxFrameBytes)
    },
  }
}

/** One call of the package. Our fetch feeds it the bytes chunk by chunk, so that it never reads ahead and its frames fall into batches. */
function attempt(
  fetchEventSource: FetchEventSource,
  fetch: Fetch | undefined,
  request: TransportRequest,
  maxFrameBytes: number,
): Promise<TransportAnswer> {
  return new Promise((resolve, reject) => {
    /** Ends the package's part. */
    const over = new AbortController()
    /** Ends the response itself. */
    const connection = new AbortController()
    const feed = createFeed()
    const inbox = createInbox(maxFrameBytes)
    let asked = false
    /** The body has been read to its end: aborted now, the request would be a cancelled one for a browser. */
    let isRead = false
    let answer: TransportAnswer | undefined
    let failure: AgentError | undefined

    /** The package has finished this attempt, with or without an error. */
    function end(error?: unknown): void {
      failure ??= error === undefined ? undefined : isAgentError(error) ? error : broken(error)
      feed.abandon()
      over.abort()
      // The body of a refused response is read here, not by the package.
      if (answer?.kind !== 'body' && !isRead) connection.abort()
      reject(failure ?? misused('ended without an answer'))
    }

    async function askOnce(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
      try {
        if (asked) throw misused('asked a second time within one attempt')
        asked = true
        // Not the package's signal: it aborts a response it refuses.
        const signal = AbortSignal.any([request.signal, connection.signal])
        const url = input instanceof Request ? input.url : String(input)
        const response = await askWithinOrigin(fetch, url, { ...init, signal })
        answer = toAnswer(response, readBatches)
        // Its status is judged already, and some statuses may have no body.
        return answer.kind === 'events' ? new Response(feed.stream, { headers: response.headers }) : response
      } catch (error) {
        end(error)
        throw error
      }
    }

    async function* readBatches(body: Response['body']): AsyncGenerator<readonly SseFrame[]> {
      const gate = createLineBuffer()
      try {
        for await (const chunk of readChunks(body)) {
          // The package copies an unfinished line at every chunk: it is given whole lines only.
          const lines = takeLines(gate, chunk)
          inbox.expect(lines?.byteLength ?? 0)
          if (lines !== undefined && !(await feed.push(lines))) throw cutOff()
          yield inbox.frames.length > 0 || completesSomething(lines && new TextDecoder().decode(lines))
            ? inbox.frames
            : PARTIAL_BATCH
          if (inbox.overflows(heldBytes(gate))) throw frameTooLarge(maxFrameBytes)
        }
        isRead = true
      } catch (error) {
        throw failure ?? error
      } finally {
        feed.close()
        over.abort()
      }
    }

    fetchEventSource(request.url, {
      ...toRequestInit(request),
      // Without an `accept` in lower case the package writes one of its own.
      headers: { accept: '*/*', ...Object.fromEntries(new Headers({ ...request.headers })) },
      signal: over.signal,
      openWhenHidden: true,
      fetch: askOnce,
      onopen: async () => {
        if (answer === undefined) throw misused('did not use the fetch it was given')
        resolve(answer)
        if (answer.kind === 'body') throw new Error('There is no event stream to read.')
      },
      onmessage: inbox.receive,
      onerror: (error: unknown) => {
        throw error
      },
    }).then(end, end)
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
  return configError(
    'The fetch-event-source transport cannot send here: @microsoft/fetch-event-source needs a window and a document, which servers and workers lack. Use fetchTransport() instead.',
  )
}

function misused(what: string): AgentError {
  return configError(
    `The fetchEventSource function of this transport ${what}. It must pass on every option it is given and leave retrying to the client.`,
  )
}

function broken(cause: unknown): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'app_error',
    severity: 'FATAL',
    message: 'The fetchEventSource function of this transport threw an unexpected error. See the cause.',
    cause,
  })
}

/** A byte stream with backpressure: each push resolves when its piece has been read. */
interface Feed {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** Hands over one piece. Resolves once the reader asks for the next; false when the reader has gone. */
  push(bytes: Uint8Array<ArrayBuffer>): Promise<boolean>
  /** No more will come. */
  close(): void
  /** The reader has gone without saying so. */
  abandon(): void
}

/** Nothing is queued: the stream pulls when its reader reads, and a reader reads on when it has done with the last piece. */
function createFeed(): Feed {
  let state: 'busy' | 'asking' | 'gone' = 'busy'
  let wake = noop
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  const become = (next: 'asking' | 'gone'): void => {
    if (state === 'gone') return
    state = next
    wake()
  }
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (own) => {
        controller = own
      },
      pull: () => become('asking'),
      cancel: () => become('gone'),
    },
    { highWaterMark: 0 },
  )

  async function asked(): Promise<boolean> {
    if (state === 'busy') {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return state === 'asking'
  }

  return {
    stream,
    async push(bytes) {
      if (!(await asked())) return false
      state = 'busy'
      controller?.enqueue(bytes)
      return asked()
    },
    close() {
      if (state !== 'gone') controller?.close()
      become('gone')
    },
    abandon: () => become('gone'),
  }
}
