import type { Clock } from '../../base/ports/clock.ts'
import { logChunks, OPENING, type ChunkSource, type LogChunksOptions } from './log-chunks.ts'
import { createReaderStallDetector } from './reader-stall-detector.ts'
import { STREAM_HEADERS } from './stream-headers.ts'

export interface StreamOptions extends LogChunksOptions {
  readonly requestId: string
  /** What else the response says of the run. Absent: nothing. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Ends the response when the caller reads nothing for so long. */
  readonly stallTimeoutMs: number
}

/** An answer that streams, before it is a Response: an adapter that can write bytes itself needs none. */
export interface StreamAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: ChunkSource
  readonly clock: Clock
  readonly stallTimeoutMs: number
}

/** What a handler answers. */
export type Answer = Response | StreamAnswer

/**
 * An answer that follows the log of a run: a replay of its entries, then live entries, to the end of the log. It reads
 * only as much as the caller reads, and sends comments on a silent connection.
 */
export function streamAnswer(options: StreamOptions): StreamAnswer {
  const { clock, stallTimeoutMs } = options
  const headers = { ...STREAM_HEADERS, 'x-request-id': options.requestId, ...options.headers }
  return { headers, chunks: logChunks(options), clock, stallTimeoutMs }
}

export function toResponse(answer: Answer): Response {
  if (answer instanceof Response) return answer
  const { chunks, clock, stallTimeoutMs } = answer
  let fail = (_error: unknown): void => {}
  let left = false
  const leave = (): void => {
    left = true
    stall.moved()
    chunks.leave()
  }
  const stall = createReaderStallDetector(clock, stallTimeoutMs, (error) => {
    leave()
    fail(error)
  })
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      fail = (error) => controller.error(error)
      controller.enqueue(OPENING.slice())
      stall.waiting()
    },
    async pull(controller) {
      stall.moved()
      const chunk = await chunks.next().catch((error: unknown) => {
        if (!left) throw error
      })
      if (left) return
      if (chunk === undefined) {
        controller.close()
        return
      }
      // A copy, since the reader may change or transfer what others are given too.
      controller.enqueue(chunk.slice())
      stall.waiting()
    },
    cancel: leave,
  })
  return new Response(body, { headers: answer.headers })
}
