/** SHA-256 of a text in UTF-8: 32 bytes. */
export type Digest = (text: string) => Promise<Uint8Array>

/** The one of the machine the code runs on. */
export const systemDigest: Digest = async (text) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
