import type { Attachment } from '../../seam/chat-input.ts'

/** Content of a file, as an app finds it by the id that the page has sent. */
export type FileContent = (
  | {
      /** Its bytes, or the same in base64. */
      readonly data: string | Uint8Array
      readonly url?: undefined
    }
  | {
      readonly data?: undefined
      /** An absolute URL that the model's vendor can fetch. */
      readonly url: string
    }
) & {
  /** Its media type, such as `image/png`. Absent: the one that the page has sent. */
  readonly mimeType?: string | undefined
  /** Its file name. Absent: the one that the page has sent. */
  readonly name?: string | undefined
}

/** A file that the page names by an id or a URL. */
export type FileReference = Attachment & { readonly id: string }

/** Finds the content of a file. */
export type ResolveFile = (file: FileReference) => FileContent | undefined | Promise<FileContent | undefined>

/** A file with its content, in no vendor's form. */
export type ModelFile =
  | { readonly kind: 'text'; readonly name: string | undefined; readonly text: string }
  | {
      readonly kind: 'bytes'
      readonly name: string | undefined
      readonly mediaType: string
      /** In base64. */
      readonly data: string
    }
  | {
      readonly kind: 'url'
      readonly name: string | undefined
      readonly mediaType: string | undefined
      readonly url: string
    }

/** A file that could not be read, and why. */
export interface UnreadFile {
  readonly kind: 'unread'
  readonly reason: string
  /** What `resolveFile` threw. */
  readonly cause?: unknown
}

const TEXT =
  /^(text\/.+|application\/((x-)?(yaml|javascript|typescript|ndjson|sh|toml|sql|jsonl|httpd-php)|json|xml)|.+\+(json|xml|yaml))$/
const UNKNOWN_TYPE = 'application/octet-stream'
/** Media types of URLs that come without one. */
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
}

/**
 * Reads a file of a message: decodes text, and resolves an id. Never rejects.
 *
 * @param resolve asked for every file without data. Absent: an id that is an absolute http or https URL is its own address
 */
export async function readModelFile(
  file: string | Attachment,
  resolve: ResolveFile | undefined,
): Promise<ModelFile | UnreadFile> {
  const attached: Attachment = typeof file === 'string' ? { id: file } : file
  if (attached.data !== undefined) return withData(attached.data, attached)
  const { id, name, mimeType } = attached
  if (resolve === undefined) {
    if (isWebAddress(id)) return withUrl(id, attached)
    return unread('it was sent as an id, and the option resolveFile, which finds the content of an id, is not set')
  }
  try {
    const content = await resolve(attached)
    if (content === undefined) return unread('resolveFile returned undefined')
    const described = { name: content.name ?? name, mimeType: content.mimeType ?? mimeType }
    return content.data === undefined ? withUrl(content.url, described) : withData(content.data, described)
  } catch (cause) {
    return { kind: 'unread', reason: 'resolveFile failed', cause }
  }
}

type Described = Pick<Attachment, 'name' | 'mimeType'>

function withUrl(url: string, { name, mimeType }: Described): ModelFile | UnreadFile {
  if (!isWebAddress(url)) return unread('its address is not an absolute http or https URL')
  const { pathname } = new URL(url)
  const extension = /\.(\w+)$/.exec(pathname)?.[1]?.toLowerCase() ?? ''
  const guessed = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined
  return { kind: 'url', name, mediaType: mediaTypeOf(mimeType) ?? guessed, url }
}

function withData(data: string | Uint8Array, { name, mimeType }: Described): ModelFile | UnreadFile {
  const bytes = typeof data === 'string' ? bytesOf(data) : data
  if (bytes === undefined) return unread('its data is not base64')
  if (bytes.length === 0) return unread('it is empty')
  const mediaType = mediaTypeOf(mimeType)
  if (mediaType === undefined || TEXT.test(mediaType)) {
    const text = textOf(bytes)
    if (text !== undefined) return { kind: 'text', name, text }
    return unread(mediaType === undefined ? 'it has no media type' : 'it is not text in UTF-8')
  }
  return { kind: 'bytes', name, mediaType, data: typeof data === 'string' ? data : base64Of(data) }
}

function unread(reason: string): UnreadFile {
  return { kind: 'unread', reason }
}

/** Without parameters. Undefined where it says nothing: browsers know no type of many text files. */
function mediaTypeOf(mimeType: string | undefined): string | undefined {
  const type = mimeType?.split(';')[0]?.trim().toLowerCase()
  if (type === undefined || type === '' || type === UNKNOWN_TYPE) return undefined
  return type === 'image/jpg' ? 'image/jpeg' : type
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol)
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

/** Undefined for bytes that are not text in UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\u0000') ? undefined : text
  } catch {
    return undefined
  }
}
