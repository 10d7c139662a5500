/** A UTF-16 unit becomes at most three bytes of UTF-8. */
const MOST_BYTES_PER_UNIT = 3

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
