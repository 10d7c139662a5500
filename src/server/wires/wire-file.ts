import type { Attachment } from '../../seam/chat-input.ts'

/** What a part says of a file beside its content. */
export interface FileDescription {
  readonly name?: unknown
  readonly mimeType?: unknown
}

/**
 * A file as a part of another protocol gives it: its bytes where they are in the part, as base64 or in a `data:` URL, else its URL or id.
 * Undefined: the part gives neither.
 */
export function fileOf(
  content: { readonly data?: unknown; readonly id?: unknown },
  { name, mimeType }: FileDescription,
): Attachment | undefined {
  const { data, id } = content
  const described = {
    ...(typeof name === 'string' && { name }),
    ...(typeof mimeType === 'string' && mimeType !== '' && { mimeType }),
  }
  if (typeof data === 'string') return { data, ...described }
  if (typeof id !== 'string' || id === '') return undefined
  const [, type = '', parameters = '', body = ''] = /^data:([^;,]*)([^,]*),(.*)$/is.exec(id) ?? []
  if (!id.toLowerCase().startsWith('data:')) return { id, ...described }
  const typed = type === '' ? described : { mimeType: type, ...described }
  return { data: /;base64$/i.test(parameters) ? body : base64OfText(body), ...typed }
}

/** Of the body of a `data:` URL that is percent-encoded text. */
function base64OfText(encoded: string): string {
  const bytes = new TextEncoder().encode(decoded(encoded))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
