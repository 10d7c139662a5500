import type { Clock } from '../base/clock.ts'
import { encodeSseComment } from '../wire/sse-encoder.ts'
import type { LogEntry, LogReader, LogSlice } from './event-log.ts'
import { STREAM_HEADERS } from './stream-headers.ts'

export interface StreamOptions {
  readonly reader: LogReader
  /** What was read from the start already. */
  readonly first: LogSlice
  readonly requestId: string
  readonly clock: Clock
  readonly heartbeatMs: number
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
  let ready = first.entries.toReversed()
  let ended = first.closed
  let pending: Promise<LogSlice> | undefined

  const nextSlice = async (): Promise<LogSlice | 'heartbeat'> => {
    pending ??= reader.read(position, gone)
    const slice = await withHeartbeat(pending, clock, heartbeatMs)
    if (slice !== 'heartbeat') pending = undefined
    return slice
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // Some proxies send no headers before the first byte.
      controller.enqueue(utf8.encode(encodeSseComment('open')))
    },
    async pull(controller) {
      if (ready.length === 0 && !ended) {
        const slice = await nextSlice()
        if (slice === 'heartbeat') {
          controller.enqueue(utf8.encode(encodeSseComment('heartbeat')))
          return
        }
        ready = slice.entries.toReversed()
        position = slice.end
        ended = slice.closed
      }
      const chunk = takeChunk(ready)
      if (chunk !== '') controller.enqueue(utf8.encode(chunk))
      if (ready.length === 0 && ended) controller.close()
    },
    cancel() {
      left.abort()
    },
  })
  return new Response(body, { headers: { ...STREAM_HEADERS, 'x-request-id': options.requestId } })
}

/** Takes entries off the end of `ready`, which is why it is kept in reverse. */
function takeChunk(ready: LogEntry[]): string {
  let chunk = ''
  while (chunk.length < CHUNK_LENGTH) {
    const entry = ready.pop()
    if (!entry) break
    if (entry.kind === 'frame') chunk += entry.text
  }
  return chunk
}

function withHeartbeat(read: Promise<LogSlice>, clock: Clock, ms: number): Promise<LogSlice | 'heartbeat'> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve('heartbeat'))
    read.then(resolve, reject).finally(cancel)
  })
}
