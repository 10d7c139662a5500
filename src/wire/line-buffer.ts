/** Passes bytes on in whole lines, so that the reader never gets an incomplete line. */
export interface LineBuffer {
  /** Takes a chunk and gives every line that is whole now, as one piece that is good until the next call; undefined when none is. */
  take<Buffer extends ArrayBufferLike>(chunk: Uint8Array<Buffer>): Uint8Array<Buffer | ArrayBuffer> | undefined
  /** Bytes of the line that has not ended yet. */
  readonly held: number
}

const LF = 10
const CR = 13
/** Space for what is left of a usual chunk; more is not kept once it is no longer needed. */
const USUAL = 4096

/** A line buffer whose cost is linear in the bytes, regardless of the number of chunks per line. */
export function createLineBuffer(): LineBuffer {
  let line: Uint8Array<ArrayBuffer> = new Uint8Array(USUAL)
  /** Taken in turns: what was given may still be read while the next line is gathered. */
  let spare: Uint8Array<ArrayBuffer> | undefined
  let held = 0

  function hold(bytes: Uint8Array): void {
    const needed = held + bytes.byteLength
    if (needed > line.byteLength) {
      const grown = new Uint8Array(Math.max(needed, 2 * line.byteLength))
      grown.set(line.subarray(0, held))
      line = grown
    }
    line.set(bytes, held)
    held = needed
  }

  return {
    take<Buffer extends ArrayBufferLike>(chunk: Uint8Array<Buffer>) {
      const lf = chunk.lastIndexOf(LF)
      const end = 1 + (chunk.includes(CR, lf + 1) ? chunk.lastIndexOf(CR) : lf)
      if (end === 0) {
        hold(chunk)
        return undefined
      }
      if (held === 0) {
        if (end < chunk.byteLength) hold(chunk.subarray(end))
        return chunk.subarray(0, end)
      }
      const ends = held + end
      hold(chunk)
      const whole = line.subarray(0, ends)
      const rest = end < chunk.byteLength ? chunk.subarray(end) : undefined
      const given = line.byteLength > 16 * USUAL ? new Uint8Array(USUAL) : line
      line = spare ?? new Uint8Array(USUAL)
      spare = given
      held = 0
      if (rest !== undefined) hold(rest)
      return whole
    },
    get held() {
      return held
    },
  }
}
