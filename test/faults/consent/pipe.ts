import type { Thread, VirtualTime } from '../../storage/model/virtual-time.ts'

/** Bytes on their way to a page, in the order they were sent in. */
export interface Pipe {
  /** What the transport reads. */
  readonly body: Response['body']
  push(bytes: Uint8Array): void
  /** The end of the body. */
  finish(): void
  /** The connection broke. */
  fail(): void
  /** The page has closed it. */
  leave(): void
  onLeave: () => void
  cut: () => void
}

interface Read {
  readonly done: boolean
  readonly value: Uint8Array | undefined
}

export function createPipe(time: VirtualTime, page: Thread, random: () => number): Pipe {
  const queue: (Uint8Array | 'end' | Error)[] = []
  let wanting: { resolve(read: Read): void; reject(error: Error): void } | undefined
  let lastAt = 0
  let isOver = false

  function serve(): void {
    const item = wanting === undefined ? undefined : queue.shift()
    if (item === undefined || wanting === undefined) return
    const { resolve, reject } = wanting
    wanting = undefined
    if (item === 'end') resolve({ done: true, value: undefined })
    else if (item instanceof Error) reject(item)
    else resolve({ done: false, value: item })
  }

  function send(item: Uint8Array | 'end' | Error): void {
    if (isOver) return
    isOver = item === 'end' || item instanceof Error
    lastAt = Math.max(lastAt, time.now + random() * 10)
    page.post('network', lastAt - time.now, () => {
      queue.push(item)
      serve()
    })
  }

  const reader = {
    read: () =>
      new Promise<Read>((resolve, reject) => {
        wanting = { resolve, reject }
        serve()
      }),
    async cancel() {
      pipe.leave()
    },
  }

  /** The platform's own stream, for a client that looks into it on the way. */
  function asStream(): ReadableStream {
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: reader.cancel,
    })
  }

  const pipe: Pipe = {
    body: {
      getReader: () => reader,
      cancel: reader.cancel,
      pipeThrough: (transform: ReadableWritablePair) => asStream().pipeThrough(transform),
    } as unknown as Response['body'], // all that the transports take
    push: send,
    finish: () => send('end'),
    fail: () => send(new TypeError('reset')),
    leave() {
      pipe.onLeave()
      isOver = true
      queue.splice(0, queue.length, new Error('aborted'))
      serve()
    },
    onLeave() {},
    cut() {},
  }
  return pipe
}
