/** Passes bytes on in whole lines, so that the reader never gets an incomplete line. */
export interface LineBuffer {
  /** The lines that were given, and behind them what is held. */
  bytes: Uint8Array<ArrayBuffer>
  given: number
  length: number
}

const LF = 10
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
