import { noop } from '../base/noop.ts'
/** A byte stream with backpressure: each push resolves when its piece has been read. */
export interface Feed {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** Hands over one piece. Resolves once the reader asks for the next; false when the reader has gone. */
  push(bytes: Uint8Array<ArrayBuffer>): Promise<boolean>
  /** No more will come. */
  close(): void
  /** The reader has gone without saying so. */
  abandon(): void
}

/** Nothing is queued: the stream pulls when its reader reads, and a reader reads on when it has done with the last piece. */
export function createFeed(): Feed {
  let state: 'busy' | 'asking' | 'gone' = 'busy'
  let wake = noop
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  const become = (next: 'asking' | 'gone'): void => {
    if (state === 'gone') return
    state = next
    wake()
  }
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (own) => {
        controller = own
      },
      pull: () => become('asking'),
      cancel: () => become('gone'),
    },
    { highWaterMark: 0 },
  )

  async function asked(): Promise<boolean> {
    if (state === 'busy') {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return state === 'asking'
  }

  return {
    stream,
    async push(bytes) {
      if (!(await asked())) return false
      state = 'busy'
      controller?.enqueue(bytes)
      return asked()
    },
    close() {
      if (state !== 'gone') controller?.close()
      become('gone')
    },
    abandon: () => become('gone'),
  }
}
