/** Passes bytes on in whole lines, so that the reader never gets an incomplete line. */
export interface LineBuffer {
  /** Takes a chunk and gives every line that is whole now, as one piece that is good until the next call; undefined when none is. */
  take<Buffer extends ArrayBufferLike>(chunk: Uint8Array<Buffer>): Uint8Array<Buffer | ArrayBuffer> | undefined
  /** Bytes of the line that has not ended yet. */
  readonly held: number
}

const LF = 10
const CR = 13
/** Space for usual chunks. */
const USUAL = 4096
/** Twice the largest piece that a transport reads: more is not kept once it is no longer needed. */
const MOST_KEPT = 131_072

/** A line buffer whose cost is linear in the bytes, regardless of the number of chunks per line. */
export function createLineBuffer(): LineBuffer {
  /** The lines that were given, and behind them what is held. */
  let buffer: Uint8Array<ArrayBuffer> = new Uint8Array(USUAL)
  let given = 0
  let length = 0

  function dropGiven(): void {
    const left = buffer.byteLength > MOST_KEPT && length - given <= USUAL ? new Uint8Array(USUAL) : buffer
    if (left !== buffer) left.set(buffer.subarray(given, length))
    else if (given > 0) buffer.copyWithin(0, given, length)
    buffer = left
    length -= given
    given = 0
  }

  function hold(bytes: Uint8Array): void {
    const needed = length + bytes.byteLength
    if (needed > buffer.byteLength) {
      const grown = new Uint8Array(Math.max(needed, 2 * buffer.byteLength))
      grown.set(buffer.subarray(0, length))
      buffer = grown
    }
    buffer.set(bytes, length)
    length = needed
  }

  return {
    take<Buffer extends ArrayBufferLike>(chunk: Uint8Array<Buffer>) {
      dropGiven()
      const lf = chunk.lastIndexOf(LF)
      const end = 1 + (chunk.includes(CR, lf + 1) ? chunk.lastIndexOf(CR) : lf)
      if (length === 0 && end === chunk.byteLength) return chunk
      if (end > 0) given = length + end
      hold(chunk)
      return given === 0 ? undefined : buffer.subarray(0, given)
    },
    get held() {
      return length - given
    },
  }
}
