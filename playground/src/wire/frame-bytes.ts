const LF = 0x0a
const CR = 0x0d

/** Counts the bytes of a frame that has begun and not ended: what a cut would tear. */
export function createFrameBytes(): { push(bytes: Uint8Array): void; readonly torn: number } {
  let torn = 0
  let lineIsEmpty = true
  return {
    push(bytes) {
      for (const byte of bytes) {
        torn += 1
        if (byte === LF) {
          if (lineIsEmpty) torn = 0
          lineIsEmpty = true
        } else if (byte !== CR) lineIsEmpty = false
      }
    },
    get torn() {
      return torn
    },
  }
}
