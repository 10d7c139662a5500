import type { Fetch } from '../../src/wire/fetch-transport.ts'

/** A fetch whose answers to POSTs are cut after so many bytes. All of them are read before the connection ends. */
export function cutPosts(bytes: number, how: 'reset' | 'end'): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (init.method !== 'POST' || response.body === null) return response
    const reader = response.body.getReader()
    let left = bytes
    const cut = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (left === 0) {
            void reader.cancel()
            if (how === 'end') controller.close()
            else controller.error(new TypeError('network error'))
            return
          }
          const { done, value } = await reader.read()
          if (done) return controller.close()
          const piece = value.subarray(0, left)
          left -= piece.length
          controller.enqueue(piece)
        },
        cancel: (reason) => reader.cancel(reason),
      },
      // Nothing is fetched that is not asked for: an error would take it along.
      { highWaterMark: 0 },
    )
    return new Response(cut, { status: response.status, headers: response.headers })
  }
}

/** The whole body of the answer to what is asked, as text. */
export async function recordAnswer(ask: (fetch: Fetch) => Promise<unknown>): Promise<string> {
  let whole = ''
  await ask(async (url, init) => {
    const response = await fetch(url, init)
    // Before the client reads: it may leave before the end.
    whole = await response.clone().text()
    return response
  })
  return whole
}

export interface EveryCut {
  /** Bytes of the answer. */
  readonly length: number
  /** Bytes from one cut to the next. */
  readonly step: number
  /** The first cut. @default 0 */
  readonly from?: number | undefined
}

/** Asks once for each cut, by resets and ends in turn, four at a time: each waits for the network most of the time. */
export async function cutEvery(
  { length, step, from = 0 }: EveryCut,
  ask: (fetch: Fetch, at: number) => Promise<void>,
): Promise<{ readonly cuts: number }> {
  let cuts = 0
  const work = async (): Promise<void> => {
    for (let at = from + cuts * step; at < length; at = from + cuts * step) {
      cuts += 1
      await ask(cutPosts(at, at % 2 === 0 ? 'reset' : 'end'), at)
    }
  }
  await Promise.all([work(), work(), work(), work()])
  return { cuts }
}
