import type { Clock } from '../../base/clock.ts'
import { encodeSseComment } from '../../wire/sse-encoder.ts'
import type { LogReader, LogSlice } from '../event-log/event-log.ts'
import { createStallDetector } from './stall-detector.ts'
import { STREAM_HEADERS } from './stream-headers.ts'
import { unsentText } from '../event-log/unsent-text.ts'

export interface StreamOptions {
  readonly reader: LogReader
  /** What was read from the start already. */
  readonly first: LogSlice
  readonly requestId: string
  readonly clock: Clock
  readonly heartbeatMs: number
  /** Ends the response when the caller reads nothing for so long. */
  readonly stallTimeoutMs: number
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
}

/** Enough to be efficient, little enough that a slow reader holds almost nothing. */
const CHUNK_LENGTH = 16_384

/**
 * A response that follows a run's log: what was said already, then live, to the end of the log. It
 * takes from the log only what the caller reads, and comments keep a silent line alive.
 */
export function streamResponse(options: StreamOptions): Response {
  const { reader, first, clock, heartbeatMs, signal } = options
  const left = new AbortController()
  const gone = AbortSignal.any([signal, left.signal])
  const utf8 = new TextEncoder()
  let position = first.end
  let unsent = unsentText(first.entries)
  let ended = first.closed
  let pending: Promise<LogSlice> | undefined
  let fail = (_error: unknown): void => {}

  const leave = (): void => {
    stall.moved()
    unsent = unsentText([])
    left.abort()
  }
  const stall = createStallDetector(clock, options.stallTimeoutMs, (error) => {
    leave()
    fail(error)
  })

  const nextSlice = async (): Promise<LogSlice | 'heartbeat'> => {
    pending ??= reader.read(position, gone)
    const slice = await withHeartbeat(pending, clock, heartbeatMs)
    if (slice !== 'heartbeat') pending = undefined
    return slice
  }

  /** Undefined at the end of the log. */
  const nextChunk = async (): Promise<string | undefined> => {
    for (;;) {
      const chunk = unsent.take(CHUNK_LENGTH)
      if (chunk !== '') return chunk
      if (ended) return undefined
      const slice = await nextSlice()
      if (slice === 'heartbeat') return encodeSseComment('heartbeat')
      unsent = unsentText(slice.entries)
      position = slice.end
      ended = slice.closed
    }
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      fail = (error) => controller.error(error)
      // Some proxies send no headers before the first byte.
      controller.enqueue(utf8.encode(encodeSseComment('open')))
      stall.waiting()
    },
    async pull(controller) {
      stall.moved()
      const chunk = await nextChunk()
      if (left.signal.aborted) return
      if (chunk === undefined) {
        controller.close()
        return
      }
      controller.enqueue(utf8.encode(chunk))
      stall.waiting()
    },
    cancel: leave,
  })
  return new Response(body, { headers: { ...STREAM_HEADERS, 'x-request-id': options.requestId } })
}

function withHeartbeat(read: Promise<LogSlice>, clock: Clock, ms: number): Promise<LogSlice | 'heartbeat'> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve('heartbeat'))
    read.then(resolve, reject).finally(cancel)
  })
}
