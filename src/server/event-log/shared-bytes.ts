import type { LogSlice } from './event-log.ts'

/** Frames of slices that many followers have in common. */
const shared = new WeakMap<LogSlice, Uint8Array>()
const utf8 = new TextEncoder()

/** Encodes text for the wire. */
export function encodeText(text: string): Uint8Array {
  return utf8.encode(text)
}

/** The frames of a slice, encoded once for all who were given the same slice; undefined when they are longer than `maxLength`. */
export function sharedBytes(slice: LogSlice, maxLength: number): Uint8Array | undefined {
  const known = shared.get(slice)
  if (known !== undefined) return known
  let text = ''
  for (const entry of slice.entries) {
    if (entry.kind !== 'frame') continue
    if (text.length + entry.text.length > maxLength) return undefined
    text += entry.text
  }
  const bytes = encodeText(text)
  shared.set(slice, bytes)
  return bytes
}
