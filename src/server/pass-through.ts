import { STREAM_HEADERS } from './stream-headers.ts'

export interface PassThroughOptions {
  readonly chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>
  readonly requestId: string
  onError(error: unknown): void
  /** The reader has gone. */
  onLeave(): void
}

/** An event stream handed on as it comes, no faster than it is read. A stream that breaks off above breaks off here. */
export function passThrough({ chunks, requestId, onError, onLeave }: PassThroughOptions): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const step = await chunks.next()
          if (step.done) controller.close()
          else controller.enqueue(step.value)
        } catch (error) {
          onError(error)
          controller.error(new Error('The upstream broke off.'))
        }
      },
      cancel: onLeave,
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { ...STREAM_HEADERS, 'x-request-id': requestId } })
}
