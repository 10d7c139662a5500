import { type Fetch, mediaTypeOf } from '../../../wire/fetch-transport.ts'

/**
 * A fetch for servers that send plain text (`toTextStreamResponse`), as the `fetch` of an `AiSdkClient`. A text stream has no end of its own:
 * one that ends cleanly with some text counts as finished, one that breaks does not. It cannot be resumed.
 *
 * @param fetch another fetch than the platform's
 * @default fetch the global `fetch`, looked up at each call
 *
 * @example
 * ```ts
 * import { AiSdkClient, textStreamFetch } from 'capstan/ai-sdk'
 *
 * export const client = new AiSdkClient({ api: '/api/text', fetch: textStreamFetch(), resumeUrl: false })
 * ```
 */
export function textStreamFetch(fetch?: Fetch): Fetch {
  return async (url, init) => {
    const response = await (fetch ?? globalThis.fetch)(url, init)
    const isText = mediaTypeOf(response.headers.get('content-type')) === 'text/plain'
    if (!response.ok || !isText || response.body === null) return response
    return asEventStream(response, response.body.pipeThrough(textChunks()))
  }
}

function textChunks(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let hasText = false
  const frame = (chunk: object): Uint8Array<ArrayBuffer> => encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`)
  return new TransformStream({
    start: (controller) => controller.enqueue(frame({ type: 'start-step' })),
    transform(bytes, controller) {
      const delta = decoder.decode(bytes, { stream: true })
      hasText ||= delta !== ''
      controller.enqueue(frame({ type: 'text-delta', id: 'text-1', delta }))
    },
    flush(controller) {
      const delta = decoder.decode()
      if (delta !== '') controller.enqueue(frame({ type: 'text-delta', id: 'text-1', delta }))
      if (!hasText && delta === '') return
      controller.enqueue(frame({ type: 'text-end', id: 'text-1' }))
      controller.enqueue(frame({ type: 'finish' }))
    },
  })
}

const EVENT_STREAM = 'text/event-stream'

/**
 * A fetch whose answers are event streams where the AI SDK says that they are: by its header `x-vercel-ai-ui-message-stream`, whatever
 * their content type is.
 */
export function eventStreamFetch(fetch: Fetch | undefined): Fetch {
  return async (url, init) => {
    const response = await (fetch ?? globalThis.fetch)(url, init)
    if (!response.ok || response.headers.get('x-vercel-ai-ui-message-stream') !== 'v1') return response
    return asEventStream(response, response.body)
  }
}

/** The same answer under the content type of an event stream. */
function asEventStream({ status, statusText, headers }: Response, body: Response['body']): Response {
  const own = new Headers(headers)
  own.set('content-type', EVENT_STREAM)
  return new Response(body, { status, statusText, headers: own })
}
