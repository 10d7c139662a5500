/** A UUID of version 8 (RFC 9562), made of the first 122 bits of a digest. */
export function toUuid(bytes: Uint8Array): string {
  const hex = [...bytes.subarray(0, 16)].map((byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x80 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return marked.toString(16).padStart(2, '0')
  })
  return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)]
    .map((part) => part.join(''))
    .join('-')
}
