import type { SseFrame } from './transport.ts'

/** Turns bytes into frames as they come: any cut, any line ending, U+FFFD for broken UTF-8 (WHATWG HTML 9.2.6). */
export interface SseDecoder {
  /** Feeds one chunk; every frame it completes is handed to `onFrame` before this returns. */
  push(bytes: Uint8Array): void
  /** Current last event id, set when a blank line ends the block. */
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

/** Passes bytes on in whole lines, so that the reader never gets an incomplete line. */
interface LineBuffer {
  /** The lines that were given, and behind them what is held. */
  bytes: Uint8Array<ArrayBuffer>
  given: number
  length: number
}

const CR = 13

/** Space for usual chunks. */
const USUAL = 4096

/** Twice the largest piece that a transport reads: more is not kept once it is no longer needed. */
const MOST_KEPT = 131_072

/** A line buffer whose cost is linear in the bytes, regardless of the number of chunks per line. */
export function createLineBuffer(): LineBuffer {
  return { bytes: new Uint8Array(USUAL), given: 0, length: 0 }
}

/** Takes a chunk and gives every line that is whole now, as one piece that is good until the next call; undefined when none is. */
export function takeLines<Buffer extends ArrayBufferLike>(
  buffer: LineBuffer,
  chunk: Uint8Array<Buffer>,
): Uint8Array<Buffer | ArrayBuffer> | undefined {
  dropGiven(buffer)
  const lf = chunk.lastIndexOf(LF)
  const end = 1 + (chunk.includes(CR, lf + 1) ? chunk.lastIndexOf(CR) : lf)
  if (buffer.length === 0 && end === chunk.byteLength) return chunk
  if (end > 0) buffer.given = buffer.length + end
  hold(buffer, chunk)
  return buffer.given === 0 ? undefined : buffer.bytes.subarray(0, buffer.given)
}

/** Bytes of the line that has not ended yet. */
export function heldBytes(buffer: LineBuffer): number {
  return buffer.length - buffer.given
}

function dropGiven(buffer: LineBuffer): void {
  const { bytes, given, length } = buffer
  if (bytes.byteLength > MOST_KEPT && length - given <= USUAL) {
    buffer.bytes = new Uint8Array(USUAL)
    buffer.bytes.set(bytes.subarray(given, length))
  } else if (given > 0) bytes.copyWithin(0, given, length)
  buffer.length = length - given
  buffer.given = 0
}

function hold(buffer: LineBuffer, chunk: Uint8Array): void {
  const needed = buffer.length + chunk.byteLength
  if (needed > buffer.bytes.byteLength) {
    const grown = new Uint8Array(Math.max(needed, 2 * buffer.bytes.byteLength))
    grown.set(buffer.bytes.subarray(0, buffer.length))
    buffer.bytes = grown
  }
  buffer.bytes.set(chunk, buffer.length)
  buffer.length = needed
}

/** A frame whose data are ASCII alone: nobody has to go through them again to know their size. Otherwise as any other frame. */
export class AsciiFrame implements SseFrame {
  readonly event: string
  readonly data: string
  readonly id: string

  constructor(event: string, data: string, id: string) {
    this.event = event
    this.data = data
    this.id = id
  }
}

/**
 * The initial value before the first frame of a stream. It also keeps the hidden class of frames alive: V8 throws away the machine code that
 * reads frames when a collection finds none.
 */
const NO_FRAME = new AsciiFrame('message', '', '')

/** Bytes of the data of a frame, as UTF-8. */
export function frameBytes(frame: SseFrame): number {
  return frame instanceof AsciiFrame ? frame.data.length : byteLength(frame.data)
}

/** Whether a text takes more than so many bytes of UTF-8. Encodes it only when its length leaves that open. */
export function isLongerThan(text: string, bytes: number): boolean {
  if (text.length * MOST_BYTES_PER_UNIT <= bytes) return false
  return text.length > bytes || new TextEncoder().encode(text).byteLength > bytes
}

// oxlint-disable-next-line no-control-regex -- ASCII begins with them
const BEYOND_ASCII = /[^\u0000-\u007f]/

/** Bytes of a text as UTF-8. */
export function byteLength(text: string): number {
  return BEYOND_ASCII.test(text) ? countBytes(text) : text.length
}

/** Without making the bytes. */
function countBytes(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length; at += 1) {
    const point = text.codePointAt(at) ?? 0
    // A pair has four bytes; half of one is written as U+FFFD.
    if (point > 0xffff) at += 1
    bytes += point > 0xffff ? 4 : point > 0x7ff ? 3 : point > 0x7f ? 2 : 1
  }
  return bytes
}
