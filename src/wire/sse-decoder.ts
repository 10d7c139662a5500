import { AsciiFrame, NO_FRAME } from './ascii-frame.ts'
import { isLongerThan } from './byte-length.ts'
import type { LineBuffer } from './line-buffer.ts'
import { createLineBuffer, heldBytes, takeLines } from './line-buffer.ts'
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

/** What a decoder knows. */
interface DecoderState extends SseDecoder, SseDecoderOptions {
  readonly maxLineBytes: number
  readonly utf8: TextDecoder
  readonly lines: LineBuffer
  isFirst: boolean
  endedWithCr: boolean
  lastEventId: string
  retryMs: number | undefined
  overflowed: boolean
  completed: boolean
  /** Whether the lines that are read now are ASCII alone. */
  readsAscii: boolean
  /** The block that has not ended yet. */
  data: string | undefined
  isAscii: boolean
  event: string
  id: string
  /** Where the block begins in the text that is read; undefined when in an earlier one. */
  blockStart: number | undefined
  isBetweenBlocks: boolean
  /** What a block began with, up to the value of its only data line: most blocks of a stream begin as the one before. Empty: not known. */
  head: string
  headEvent: string
  /** Whether the blocks of this text begin so. Once one did not, another is learned for the texts that follow. */
  heads: 'repeat' | 'differ' | 'learned'
}

/**
 * The work is done by functions of the module and not by closures, whose machine code V8 drops when a collection finds no decoder in use:
 * every answer would be read by slow code at first.
 */
export function createSseDecoder({ onFrame, maxFrameBytes }: SseDecoderOptions): SseDecoder {
  const state: DecoderState = {
    onFrame,
    maxFrameBytes,
    maxLineBytes: maxFrameBytes + DATA_FIELD_BYTES,
    // The one leading BOM is taken off below; a BOM in mid-text must stay.
    utf8: new TextDecoder('utf-8', { ignoreBOM: true }),
    lines: createLineBuffer(),
    isFirst: true,
    endedWithCr: false,
    lastEventId: '',
    retryMs: undefined,
    overflowed: false,
    completed: false,
    readsAscii: true,
    data: undefined,
    isAscii: true,
    event: '',
    id: '',
    blockStart: undefined,
    isBetweenBlocks: true,
    head: '',
    headEvent: NO_FRAME.event,
    heads: 'repeat',
    push: (bytes) => read(state, bytes),
  }
  return state
}

function read(state: DecoderState, bytes: Uint8Array): void {
  state.completed = false
  if (state.overflowed) return
  // Whole lines only, so that no line is joined again and again, and no character is cut.
  const lines = takeLines(state.lines, bytes)
  if (lines !== undefined) {
    const decoded = state.utf8.decode(lines)
    // Any other character has more bytes than units, but for U+FFFD in place of one broken byte.
    state.readsAscii = decoded.length === lines.byteLength && !decoded.includes('\uFFFD')
    readText(state, state.isFirst && decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded)
    state.isFirst = false
  }
  if (heldBytes(state.lines) > state.maxLineBytes) state.overflowed = true
}

function readText(state: DecoderState, text: string): void {
  // A value that ends with a CR is left to the lines.
  state.heads = text.includes('\r') ? 'learned' : 'repeat'
  state.blockStart = state.isBetweenBlocks ? readAlike(state, text, 0) : undefined
  readLines(state, text, state.blockStart ?? 0)
  state.isBetweenBlocks = state.blockStart === text.length
}

/** LF, CR and CRLF end a line, also when a text ends between CR and LF. */
function readLines(state: DecoderState, text: string, from: number): void {
  let start = state.endedWithCr && from === 0 && text.charCodeAt(0) === LF ? 1 : from
  state.endedWithCr = text.endsWith('\r')
  // Each is looked for again only when it has been passed, so that a text is read through once.
  let lf = text.indexOf('\n', start)
  let cr = text.indexOf('\r', start)
  while ((lf !== -1 || cr !== -1) && !state.overflowed) {
    const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr
    const next = end === cr && lf === cr + 1 ? lf + 1 : end + 1
    if (start < end) {
      readLine(state, text, start, end)
      start = next
    } else {
      if (state.heads === 'differ') learnHead(state, text, start)
      endBlock(state)
      start = readAlike(state, text, next)
      state.blockStart = start
    }
    if (lf !== -1 && lf < start) lf = text.indexOf('\n', start)
    if (cr !== -1 && cr < start) cr = text.indexOf('\r', start)
  }
}

/** Reads blocks that begin as the one before, which costs a fraction of reading their lines. Gives where another one begins. */
function readAlike(state: DecoderState, text: string, from: number): number {
  const { head } = state
  let start = from
  while (state.heads === 'repeat' && start < text.length && !state.overflowed) {
    // Several times as fast as startsWith. It searches on after a block that differs: not more than once in a text.
    if (head === '' || text.indexOf(head, start) !== start) state.heads = 'differ'
    else {
      const value = start + head.length
      const end = text.indexOf('\n', value)
      const isShort = (end - start) * MOST_BYTES_PER_UNIT <= state.maxFrameBytes
      if (end === -1 || text.charCodeAt(end + 1) !== LF || !isShort) break
      state.completed = true
      state.lastEventId = state.id
      state.onFrame(toFrame(state.headEvent, valueOf(text, value, end), state.id, state.readsAscii))
      start = end + 2
    }
  }
  return start
}

/** @param end of the block: where its blank line begins */
function learnHead(state: DecoderState, text: string, end: number): void {
  const line = text.lastIndexOf('\n', end - 2) + 1
  if (state.blockStart === undefined || state.data?.includes('\n') !== false || !text.startsWith('data:', line)) return
  state.head = text.slice(state.blockStart, line + 'data:'.length)
  state.headEvent = state.event
  state.heads = 'learned'
}

function readLine(state: DecoderState, text: string, start: number, end: number): void {
  // In smaller pieces it would have been over the limit, and the result must not depend on how the bytes are divided
  // into chunks.
  const mayBeLong = (end - start) * MOST_BYTES_PER_UNIT > state.maxLineBytes
  if (mayBeLong && isLongerThan(text.slice(start, end), state.maxLineBytes)) {
    state.overflowed = true
    return
  }
  const first = text.charCodeAt(start)
  if (first === COLON) state.completed = true
  else if (first === LOWER_D && text.startsWith('data:', start)) addData(state, valueOf(text, start + 5, end))
  else if (first === LOWER_I && text.startsWith('id:', start)) setId(state, valueOf(text, start + 3, end))
  else if (first === LOWER_E && text.startsWith('event:', start)) state.event = valueOf(text, start + 6, end)
  else readField(state, text, start, end)
}

/** Any other field, and those of a name without a colon. */
function readField(state: DecoderState, text: string, start: number, end: number): void {
  const colon = text.indexOf(':', start)
  const nameEnd = colon === -1 || colon > end ? end : colon
  const value = valueOf(text, nameEnd + 1, end)
  switch (text.slice(start, nameEnd)) {
    case 'data':
      return addData(state, value)
    case 'event':
      state.event = value
      return
    case 'id':
      return setId(state, value)
    case 'retry':
      if (!/^\d+$/.test(value)) return
      state.retryMs = Number(value)
      state.head = ''
  }
}

function setId(state: DecoderState, value: string): void {
  if (value === state.id || value.includes('\0')) return
  state.id = value
  // It gave another one.
  state.head = ''
}

function addData(state: DecoderState, value: string): void {
  state.data = state.data === undefined ? value : `${state.data}\n${value}`
  state.isAscii = state.isAscii && state.readsAscii
  if (state.data.length > state.maxFrameBytes) state.overflowed = true
}

function endBlock(state: DecoderState): void {
  const { data, event, id, isAscii } = state
  state.completed = true
  state.lastEventId = id
  state.data = undefined
  state.event = ''
  state.isAscii = true
  if (data === undefined) return
  if (isLongerThan(data, state.maxFrameBytes)) state.overflowed = true
  else state.onFrame(toFrame(event, data, id, isAscii))
}

function toFrame(name: string, data: string, id: string, isAscii: boolean): SseFrame {
  const event = name === '' ? 'message' : name
  return isAscii ? new AsciiFrame(event, data, id) : { event, data, id }
}

/** The value of a field, without the one space that may be before it. */
function valueOf(text: string, start: number, end: number): string {
  return start < end ? text.slice(text.charCodeAt(start) === SPACE ? start + 1 : start, end) : ''
}
