/** Lets bytes pass line by line, so that a reader behind it never sees half a line. */
export interface LineGate {
  /** Takes a chunk and gives every line that is whole now, as one piece; undefined when none is. */
  take(chunk: Uint8Array): Uint8Array<ArrayBuffer> | undefined
  /** Bytes of the line that has not ended yet. */
  readonly held: number
}

const LF = 10
const CR = 13
const SMALLEST = 1024

/** A gate whose cost grows with the bytes alone, however many chunks a line takes. */
export function createLineGate(): LineGate {
  let line = new Uint8Array(SMALLEST)
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
    take(chunk) {
      const end = 1 + Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR))
      if (end === 0) {
        hold(chunk)
        return undefined
      }
      hold(chunk.subarray(0, end))
      const whole = line.subarray(0, held)
      // The reader keeps what it was given: what comes next is written elsewhere.
      line = new Uint8Array(SMALLEST)
      held = 0
      hold(chunk.subarray(end))
      return whole
    },
    get held() {
      return held
    },
  }
}
