import type { Clock } from '../../base/ports/clock.ts'
import type { ControlName } from '../../protocols/cap/handle.ts'
import { controlHeaders } from '../http/control-headers.ts'
import { createReaderStallDetector } from '../http/reader-stall-detector.ts'
import { STREAM_HEADERS } from '../http/stream-headers.ts'

export interface PassThroughOptions {
  readonly chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>
  readonly requestId: string
  /** Commands that the upstream takes for the run. */
  readonly control: readonly ControlName[]
  readonly clock: Clock
  /** Ends the response, and lets go of the upstream, when the caller reads nothing for so long. */
  readonly stallTimeoutMs: number
  onError(error: unknown): void
  /** The reader has gone. */
  onLeave(): void
}

/** An event stream handed on as it comes, no faster than it is read. A stream that breaks off above breaks off here. */
export function passThrough({
  chunks,
  requestId,
  control,
  clock,
  stallTimeoutMs,
  onError,
  onLeave,
}: PassThroughOptions): Response {
  let fail = (_error: unknown): void => {}
  const stall = createReaderStallDetector(clock, stallTimeoutMs, (error) => {
    onLeave()
    fail(error)
  })
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = (error) => controller.error(error)
        stall.waiting()
      },
      async pull(controller) {
        stall.moved()
        try {
          const step = await chunks.next()
          if (step.done) {
            controller.close()
            return
          }
          controller.enqueue(step.value)
          stall.waiting()
        } catch (error) {
          onError(error)
          controller.error(new Error('The upstream broke off.'))
        }
      },
      cancel() {
        stall.moved()
        onLeave()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { ...STREAM_HEADERS, 'x-request-id': requestId, ...controlHeaders(control) } })
}
