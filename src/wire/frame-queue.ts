import type { AgentError } from '../base/agent-error.ts'
import { noop } from '../base/noop.ts'
import { bufferFull, textFrameTooLarge, type DuplexLimits } from './duplex-transport.ts'

/** Bounded queue between a socket, which pushes frames, and a reader, which takes them in batches. */
export interface FrameQueue {
  readonly frames: AsyncIterable<readonly string[]>
  /** Characters that came and were not read yet. */
  readonly length: number
  /** Adds a frame. Does nothing once the queue has ended. */
  push(frame: string): void
  /** No more frames come; those that came are read first. */
  end(): void
  /** The connection broke; the frames that came are read first. */
  fail(error: AgentError): void
  /** Drops what was not read and ends the reading. */
  drop(): void
}

export interface FrameQueueOptions extends DuplexLimits {
  /** Called once when the queue takes no more: the reader has left, or a limit was passed. */
  onClosed(): void
}

export function createFrameQueue({
  maxFrameLength = 10_000_000,
  maxBufferedLength = 50_000_000,
  onClosed,
}: FrameQueueOptions): FrameQueue {
  let waiting: string[] = []
  let length = 0
  let ending: { readonly error?: AgentError } | undefined
  let isLeft = false
  let wake = noop

  function finish(error?: AgentError): void {
    if (ending !== undefined) return
    ending = error === undefined ? {} : { error }
    wake()
  }

  function leave(): void {
    if (isLeft) return
    isLeft = true
    waiting = []
    length = 0
    finish()
    onClosed()
  }

  function take(): Promise<IteratorResult<readonly string[], undefined>> | undefined {
    if (waiting.length > 0) {
      const batch = waiting
      waiting = []
      length = 0
      return Promise.resolve({ done: false, value: batch })
    }
    if (ending === undefined) return undefined
    const { error } = ending
    leave()
    // The error is thrown once; later reads return done.
    ending = {}
    return error === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error)
  }

  // Written by hand: leaving a generator that was never asked would run nothing of it.
  const reader: AsyncIterableIterator<readonly string[], undefined> = {
    async next() {
      for (;;) {
        const taken = take()
        if (taken !== undefined) return taken
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        wake = noop
      }
    },
    return() {
      leave()
      return Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]: () => reader,
  }

  return {
    frames: reader,
    get length() {
      return length
    },
    push(frame) {
      if (ending !== undefined) return
      length += frame.length
      const error =
        frame.length > maxFrameLength
          ? textFrameTooLarge(maxFrameLength)
          : length > maxBufferedLength
            ? bufferFull(maxBufferedLength)
            : undefined
      if (error !== undefined) {
        finish(error)
        onClosed()
        return
      }
      waiting.push(frame)
      wake()
    },
    end: () => finish(),
    fail: finish,
    drop: leave,
  }
}
