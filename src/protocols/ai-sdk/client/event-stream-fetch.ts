import type { Fetch } from '../../../wire/fetch-transport.ts'

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
export function asEventStream({ status, statusText, headers }: Response, body: Response['body']): Response {
  const own = new Headers(headers)
  own.set('content-type', EVENT_STREAM)
  return new Response(body, { status, statusText, headers: own })
}
