import { UNENDED_FRAME } from '../../protocols/ag-ui/read-stream.ts'
import type { Fetch } from '../../wire/fetch-transport.ts'
import { mediaTypeOf } from '../../wire/fetch-answer.ts'

/**
 * A fetch whose event streams end with whole frames. Some servers leave the blank line behind the last frame out, and without it a frame
 * does not count; the type of the frame says that it was ended here, since it may also have been cut.
 */
export function wholeFramesFetch(fetch: Fetch | undefined): Fetch {
  return async (url, init) => {
    const response = await (fetch ?? globalThis.fetch)(url, init)
    const isStream = mediaTypeOf(response.headers.get('content-type')) === 'text/event-stream'
    if (!response.ok || !isStream || response.body === null) return response
    const { status, statusText, headers } = response
    const end = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      flush: (controller) => controller.enqueue(new TextEncoder().encode(`\nevent: ${UNENDED_FRAME}\n\n`)),
    })
    return new Response(response.body.pipeThrough(end), { status, statusText, headers })
  }
}
