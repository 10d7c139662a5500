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
  return BEYOND_ASCII.test(text) ? new TextEncoder().encode(text).byteLength : text.length
}
