/** SHA-256 of a text in UTF-8: 32 bytes. */
export type Digest = (text: string) => Promise<Uint8Array>

/** The one of the machine the code runs on. */
export const systemDigest: Digest = async (text) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))

/** SHA-256 of bytes, in hexadecimal. */
export type DigestBytes = (bytes: Uint8Array) => Promise<string>

/** The one of the machine the code runs on. */
export const systemDigestBytes: DigestBytes = async (bytes) => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

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
