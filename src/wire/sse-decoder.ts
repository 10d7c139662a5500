import { createParser } from 'eventsource-parser'
import { isLongerThan } from './byte-length.ts'
import type { SseFrame } from './transport.ts'

/** Turns bytes into frames as they come: any cut, any line ending, U+FFFD for broken UTF-8. */
export interface SseDecoder {
  /** Feeds one chunk; every frame it completes is handed to `onFrame` before this returns. */
  push(bytes: Uint8Array): void
  /** Last event id in force (WHATWG HTML 9.2.6: taken when a blank line ends the block). */
  readonly lastEventId: string
  /** The last `retry:` value, in milliseconds. */
  readonly retryMs: number | undefined
  /** True once a frame went over the limit; everything after it is ignored. */
  readonly overflowed: boolean
}

export interface SseDecoderOptions {
  onFrame(frame: SseFrame): void
  readonly maxFrameBytes: number
}

const LF = 10

export function createSseDecoder({ onFrame, maxFrameBytes }: SseDecoderOptions): SseDecoder {
  // The parser strips the one leading BOM itself; a BOM in mid-text must stay.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  let lastEventId = ''
  let retryMs: number | undefined
  let overflowed = false

  const parser = createParser({
    maxBufferSize: maxFrameBytes,
    onId: (id) => {
      lastEventId = id
    },
    onRetry: (ms) => {
      retryMs = ms
    },
    onEvent: ({ event, data }) => {
      if (overflowed) return
      if (isLongerThan(data, maxFrameBytes)) overflowed = true
      else onFrame({ event: event ?? 'message', data, id: lastEventId })
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') overflowed = true
    },
  })

  function feed(bytes: Uint8Array): void {
    if (!overflowed && bytes.byteLength > 0) parser.feed(utf8.decode(bytes, { stream: true }))
  }

  return {
    push(bytes) {
      // The parser joins what it holds of a line with all it is fed next: so it gets the end of that line by itself,
      // and the lines between it and the next cut are never copied.
      const first = bytes.indexOf(LF) + 1
      const last = bytes.lastIndexOf(LF) + 1
      feed(bytes.subarray(0, first))
      feed(bytes.subarray(first, last))
      feed(bytes.subarray(last))
    },
    get lastEventId() {
      return lastEventId
    },
    get retryMs() {
      return retryMs
    },
    get overflowed() {
      return overflowed
    },
  }
}
