import { askWithinOrigin } from './ask-within-origin.ts'
import type { Fetch } from './fetch-answer.ts'
import { frameTooLarge, readChunks, toAnswer, toRequestInit } from './fetch-answer.ts'
import { PARTIAL_BATCH } from './partial-batch.ts'
import { createSseDecoder } from './sse-decoder.ts'
import type { SseFrame, Transport, TransportLimits } from './transport.ts'
import { DEFAULT_MAX_FRAME_BYTES } from './transport.ts'

export type { Fetch } from './fetch-answer.ts'

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
