/** Content of an artifact, as it travels: base64, its size in bytes, and its digest where the platform can make one. */
export interface EncodedContent {
  readonly data: string
  readonly size: number
  readonly sha256?: string
}

/** Bytes that are turned into one text at a time. */
const PIECE = 0x8000

export async function encodeContent(content: string | Uint8Array): Promise<EncodedContent> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  let binary = ''
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  const encoded = { data: btoa(binary), size: bytes.length }
  // Only pages with HTTPS, and servers, have digests.
  const { subtle }: { readonly subtle?: SubtleCrypto } = crypto
  if (subtle === undefined) return encoded
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
  return { ...encoded, sha256: [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('') }
}

/** The bytes of base64. @throws Error when it is none */
export function decodeContent(data: string): Uint8Array {
  return Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))
}
