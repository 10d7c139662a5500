import { answerFrames } from '../../../src/server/http/answer-frames.ts'
import type { Fetch } from '../../../src/wire/fetch-transport.ts'
import { frameRequests } from '../../../src/wire/frame-requests.ts'
import { memoryTransport } from '../../../src/wire/memory-transport.ts'
import type { Transport } from '../../../src/wire/transport.ts'
import type { Clock } from '../../../src/base/ports/clock.ts'

/** Longer than a page waits for anything. */
const FIRST_FRAME_MS = 600_000

/**
 * Requests to a server in memory over frames, through the code of both ends. What fetch cannot carry breaks the connection.
 *
 * @param clock the server's: what it waits for is not a timer that the client has left
 */
export function virtualFrames(fetch: Fetch, clock: Clock): Transport {
  return frameRequests((url) =>
    memoryTransport(({ frames, send, close }) =>
      answerFrames({
        handler: (http) =>
          askFetch(fetch, url, http).catch((error: unknown) => {
            close()
            throw error
          }),
        caller: { frames, send, close, breakOff: close },
        opening: { url: new URL(url), headers: new Headers() },
        origins: [],
        headers: [],
        firstFrameTimeoutMs: FIRST_FRAME_MS,
        clock,
      }),
    ),
  )
}

async function askFetch(fetch: Fetch, url: string, http: Request): Promise<Response> {
  const { method, headers, signal } = http
  return fetch(url, { method, headers: Object.fromEntries(headers), body: await http.text(), signal })
}
