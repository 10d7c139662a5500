import { AsciiFrame } from './ascii-frame.ts'
import { isLongerThan } from './byte-length.ts'
import { createLineBuffer } from './line-buffer.ts'
import { createLineReader } from './line-reader.ts'
import type { SseFrame } from './transport.ts'

/** Turns bytes into frames as they come: any cut, any line ending, U+FFFD for broken UTF-8 (WHATWG HTML 9.2.6). */
export interface SseDecoder {
  /** Feeds one chunk; every frame it completes is handed to `onFrame` before this returns. */
  push(bytes: Uint8Array): void
  /** Last event id in force, taken when a blank line ends the block. */
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
  /** Of the data of a frame, as UTF-8. */
  readonly maxFrameBytes: number
}

const DATA_FIELD_BYTES = 'data: '.length
/** A UTF-16 unit becomes at most so many bytes of UTF-8. */
const MOST_BYTES_PER_UNIT = 3

const LF = 10
const COLON = 58
const SPACE = 32
const LOWER_D = 100
const LOWER_E = 101
const LOWER_I = 105

export function createSseDecoder({ onFrame, maxFrameBytes }: SseDecoderOptions): SseDecoder {
  // The one leading BOM is taken off below; a BOM in mid-text must stay.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  const gate = createLineBuffer()
  const maxLineBytes = maxFrameBytes + DATA_FIELD_BYTES
  let isFirst = true
  let lastEventId = ''
  let retryMs: number | undefined
  let overflowed = false
  let completed = false
  /** Whether the lines that are read now are ASCII alone. */
  let readsAscii = true
  /** The block that has not ended yet. */
  let data: string | undefined
  let isAscii = true
  let event = ''
  let id = ''
  /** What a block begins with, up to the value of its only data line: most blocks of a stream begin as the one before. */
  let head = ''
  let headEvent = ''
  /** Whether the blocks of this text begin so. Once one did not, another is learned for the texts that follow. */
  let heads: 'repeat' | 'differ' | 'learned' = 'repeat'
  /** Where the block begins in this text; undefined when in an earlier one. */
  let blockStart: number | undefined
  let isBetweenBlocks = true

  const readLines = createLineReader((text, start, end, next) => {
    if (overflowed) return text.length
    if (start !== end) {
      readLine(text, start, end)
      return next
    }
    if (heads === 'differ') learnHead(text, start)
    endBlock()
    blockStart = readAlike(text, next)
    return blockStart
  })

  /** Reads blocks that begin as the one before, which costs a fraction of reading their lines. Gives where another one begins. */
  function readAlike(text: string, from: number): number {
    let start = from
    while (heads === 'repeat' && start < text.length) {
      // Several times as fast as startsWith. It searches on after a block that differs: not more than once in a text.
      if (text.indexOf(head, start) !== start || head === '') heads = 'differ'
      else {
        const value = start + head.length
        const end = text.indexOf('\n', value)
        if (end === -1 || text.charCodeAt(end + 1) !== LF || (end - start) * MOST_BYTES_PER_UNIT > maxFrameBytes) break
        completed = true
        lastEventId = id
        onFrame(toFrame(headEvent, valueOf(text, value, end), readsAscii))
        start = end + 2
      }
    }
    return start
  }

  /** @param end of the block: where its blank line begins */
  function learnHead(text: string, end: number): void {
    const line = text.lastIndexOf('\n', end - 2) + 1
    if (blockStart === undefined || data?.includes('\n') !== false || !text.startsWith('data:', line)) return
    head = text.slice(blockStart, line + 'data:'.length)
    headEvent = event
    heads = 'learned'
  }

  function readLine(text: string, start: number, end: number): void {
    // In smaller pieces it would have been over the limit, and the result must not depend on how the bytes are divided
    // into chunks.
    if ((end - start) * MOST_BYTES_PER_UNIT > maxLineBytes && isLongerThan(text.slice(start, end), maxLineBytes)) {
      overflowed = true
      return
    }
    const first = text.charCodeAt(start)
    if (first === COLON) completed = true
    else if (first === LOWER_D && text.startsWith('data:', start)) addData(valueOf(text, start + 5, end))
    else if (first === LOWER_I && text.startsWith('id:', start)) setId(valueOf(text, start + 3, end))
    else if (first === LOWER_E && text.startsWith('event:', start)) event = valueOf(text, start + 6, end)
    else readField(text, start, end)
  }

  /** Any other field, and those of a name without a colon. */
  function readField(text: string, start: number, end: number): void {
    const colon = text.indexOf(':', start)
    const nameEnd = colon === -1 || colon > end ? end : colon
    const value = valueOf(text, nameEnd + 1, end)
    switch (text.slice(start, nameEnd)) {
      case 'data':
        return addData(value)
      case 'event':
        event = value
        return
      case 'id':
        return setId(value)
      case 'retry':
        if (/^\d+$/.test(value)) retryMs = Number(value)
    }
  }

  function setId(value: string): void {
    if (value !== id && !value.includes('\0')) id = value
  }

  function addData(value: string): void {
    data = data === undefined ? value : `${data}\n${value}`
    isAscii = isAscii && readsAscii
    if (data.length > maxFrameBytes) overflowed = true
  }

  function endBlock(): void {
    completed = true
    lastEventId = id
    const frame = data === undefined ? undefined : toFrame(event, data, isAscii)
    data = undefined
    event = ''
    isAscii = true
    if (frame === undefined) return
    if (isLongerThan(frame.data, maxFrameBytes)) overflowed = true
    else onFrame(frame)
  }

  function toFrame(name: string, whole: string, ascii: boolean): SseFrame {
    const event = name === '' ? 'message' : name
    return ascii ? new AsciiFrame(event, whole, id) : { event, data: whole, id }
  }

  return {
    push(bytes) {
      completed = false
      if (overflowed) return
      // Whole lines only, so that no line is joined again and again, and no character is cut.
      const lines = gate.take(bytes)
      if (lines !== undefined) {
        const decoded = utf8.decode(lines)
        const text = isFirst && decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded
        isFirst = false
        // Any other character has more bytes than units, but for U+FFFD in place of one broken byte.
        readsAscii = decoded.length === lines.byteLength && !decoded.includes('\uFFFD')
        // A value that ends with a CR is left to the lines.
        heads = text.includes('\r') ? 'learned' : 'repeat'
        blockStart = isBetweenBlocks ? readAlike(text, 0) : undefined
        readLines(text, blockStart ?? 0)
        isBetweenBlocks = blockStart === text.length
      }
      if (gate.held > maxLineBytes) overflowed = true
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
      return completed
    },
  }
}

/** The value of a field, without the one space that may be before it. */
function valueOf(text: string, start: number, end: number): string {
  return start < end ? text.slice(text.charCodeAt(start) === SPACE ? start + 1 : start, end) : ''
}
