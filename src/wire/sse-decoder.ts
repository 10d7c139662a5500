import { createParser } from 'eventsource-parser'
import { isLongerThan } from './byte-length.ts'
import { createLineGate } from './line-gate.ts'
import { completesSomething } from './partial-batch.ts'
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
  /** Whether the last chunk completed a frame, a comment or an empty block. */
  readonly completed: boolean
}

export interface SseDecoderOptions {
  onFrame(frame: SseFrame): void
  readonly maxFrameBytes: number
}

export function createSseDecoder({ onFrame, maxFrameBytes }: SseDecoderOptions): SseDecoder {
  // The parser strips the one leading BOM itself; a BOM in mid-text must stay.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  const gate = createLineGate()
  let lastEventId = ''
  let retryMs: number | undefined
  let overflowed = false
  let text: string | undefined

  const parser = createParser({
    maxBufferSize: maxFrameBytes,
    onId: (id) => {
      lastEventId = id
    },
    onRetry: (ms) => {
      retryMs = ms
    },
    onEvent: (message) => {
      if (overflowed) return
      if (isLongerThan(message.data, maxFrameBytes)) {
        overflowed = true
        return
      }
      // The parser keeps no message it has given: completed, it is the frame, and frames are many.
      message.event ??= 'message'
      message.id = lastEventId
      onFrame(message as SseFrame) // both fields were filled just now
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') overflowed = true
    },
  })

  return {
    push(bytes) {
      if (overflowed) return
      // Whole lines only: the parser would join half a line with all that comes next, and no character is cut at a line's end.
      const lines = gate.take(bytes)
      text = lines && utf8.decode(lines)
      if (text !== undefined) parser.feed(text)
      if (gate.held > maxFrameBytes) overflowed = true
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
    get completed() {
      return completesSomething(text)
    },
  }
}
