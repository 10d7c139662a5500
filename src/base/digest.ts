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
