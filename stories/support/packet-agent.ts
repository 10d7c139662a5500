import type { Fetch } from '../../src/wire/fetch-transport.ts'
import { encodeSseFrame } from '../../src/wire/sse-encoder.ts'

/**
 * An agent that says these packets and no others, as they are written: for what a well-behaved agent never does, and
 * to show a packet beside what it becomes. After the last packet the connection stays open until the client leaves.
 */
export function packetAgent(packets: readonly object[]): Fetch {
  return (_url, { signal }) => {
    const utf8 = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const packet of packets) controller.enqueue(utf8.encode(encodeSseFrame({ data: JSON.stringify(packet) })))
        signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true })
      },
    })
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  }
}
