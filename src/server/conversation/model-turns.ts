import { TOOL_FAILED, USER_REFUSED } from '../../base/tool-failures.ts'
import { AgentError } from '../../base/agent-error.ts'
import { isDevelopment } from '../../base/development.ts'
import type { Attachment } from '../../seam/chat-input.ts'
import type { ConversationMessage, ConversationPart } from './conversation-store.ts'

/** What is read of a run to tell a model the conversation. An `AgentRun` has all of it. */
export interface ChatRun {
  history(): Promise<readonly ConversationMessage[]>
  readonly text: string
  /** Absent: the message has no files. */
  readonly files?: readonly (string | Attachment)[] | undefined
  /** Absent: the message has none. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Gets what the model was not given. Absent: `console.error` does. */
  readonly report?: ((error: unknown) => void) | undefined
}

export interface ChatMessagesOptions {
  /**
   * Finds the content of a file that the page has sent without its bytes, by its id: `{ data }` or `{ url }`. The id comes
   * from the page, so check that the file belongs to the user. For undefined the model gets a note in place of the file.
   *
   * @default an id that is an http or https URL is passed on; the content of any other id is not found
   */
  readonly resolveFile?: ResolveFile | undefined
}

/** A call of a tool in an earlier answer. */
export interface PastCall {
  /** Unique in the conversation. */
  readonly id: string
  /** Of letters, digits, `_` and `-`: vendors refuse other names. */
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly output: string
  readonly hasFailed: boolean
}

/** A turn of the conversation. Strings are text, and `Part` is a file in the form of the vendor. */
export type ModelTurn<Part> =
  | {
      readonly role: 'user'
      readonly content: readonly (string | Part)[]
      readonly metadata?: Readonly<Record<string, unknown>> | undefined
    }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly PastCall[] }
  /** An answer in the form of the vendor, unchanged: what `run.remember` was given. */
  | { readonly role: 'remembered'; readonly items: readonly object[] }

/** What a vendor reads. */
export interface VendorFiles<Part> {
  /** Whose remembered answers go back unchanged. */
  readonly vendor: string
  /** What it reads, in a sentence for developers. */
  readonly reads: string
  /** A file in the form of the vendor, text for it, or undefined for one that it does not read. */
  part(file: ModelFile): Part | string | undefined
}

/**
 * The conversation and the message of the user, with their files. Turns alternate: messages of the user that follow each other are one
 * turn. A file that is not given to the model is a note in its place, and is reported.
 */
export async function modelTurns<Part extends object>(
  run: ChatRun,
  vendor: VendorFiles<Part>,
  { resolveFile }: ChatMessagesOptions,
): Promise<ModelTurn<Part>[]> {
  const turns: ModelTurn<Part>[] = []
  const omitted: string[] = []
  const causes: unknown[] = []
  let calls = 0

  const fileOf = async (file: string | Attachment): Promise<Part | string> => {
    const read = await readModelFile(file, resolveFile)
    const part = read.kind === 'unread' ? undefined : vendor.part(read)
    if (part !== undefined) return part
    const label = labelOf(file, read.kind === 'bytes' || read.kind === 'url' ? read.mediaType : undefined)
    omitted.push(`${label}: ${read.kind === 'unread' ? read.reason : vendor.reads}`)
    if (read.kind === 'unread' && read.cause !== undefined) causes.push(read.cause)
    return `[The user attached the file ${label}. Its content is not available to you.]`
  }

  const addUser = async ({ text, files = [], metadata }: Pick<ChatRun, 'text' | 'files' | 'metadata'>) => {
    const content = [...(await Promise.all(files.map(fileOf))), ...(text === '' ? [] : [text])]
    if (content.length === 0) return
    const last = turns.at(-1)
    if (last?.role !== 'user') turns.push({ role: 'user', content, metadata })
    else
      turns[turns.length - 1] = {
        role: 'user',
        content: [...last.content, ...content],
        metadata: metadata === undefined ? last.metadata : { ...last.metadata, ...metadata },
      }
  }

  for (const message of await run.history()) {
    const { model } = message
    if (message.role === 'user') await addUser(message)
    else if (model !== undefined && model.vendor === vendor.vendor)
      turns.push({ role: 'remembered', items: model.items })
    else turns.push(...stepsOf(message.parts, () => `call-${(calls += 1)}`))
  }
  await addUser(run)
  for (const cause of causes) report(run, cause)
  if (omitted.length > 0) report(run, omission(omitted))
  return turns
}

/** An answer as the model made it: what it says, the calls after it, and then what it says to their results. */
function stepsOf(
  parts: readonly ConversationPart[],
  nextId: () => string,
): Extract<ModelTurn<never>, { role: 'assistant' }>[] {
  const steps: { readonly role: 'assistant'; text: string; readonly calls: PastCall[] }[] = []
  for (const part of parts) {
    if (part.type !== 'text' && part.type !== 'tool-call') continue
    const last = steps.at(-1)
    const isNew = last === undefined || (part.type === 'text' && last.calls.length > 0)
    const step = isNew ? { role: 'assistant' as const, text: '', calls: [] } : last
    if (isNew) steps.push(step)
    if (part.type === 'text') step.text += part.text
    else step.calls.push(callOf(part, nextId()))
  }
  return steps.filter(({ text, calls }) => text !== '' || calls.length > 0)
}

function callOf(
  { name, input, output, status }: Extract<ConversationPart, { type: 'tool-call' }>,
  id: string,
): PastCall {
  const known = {
    id,
    name: name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'tool',
    // A record, or anything else by itself.
    input: (typeof input === 'object' && input !== null && !Array.isArray(input)
      ? input
      : input === undefined
        ? {}
        : { input }) as Readonly<Record<string, unknown>>,
  }
  const text = typeof output === 'string' ? output : JSON.stringify(output ?? null)
  if (status === 'complete') return { ...known, output: text, hasFailed: false }
  if (status === 'failed') return { ...known, output: output === undefined ? TOOL_FAILED : text, hasFailed: true }
  const why = status === 'denied' ? USER_REFUSED : 'The call was interrupted.'
  return { ...known, output: why, hasFailed: true }
}

/** Text of a file, for vendors that take text in its place. */
export function fileText({ name, text }: Extract<ModelFile, { kind: 'text' }>): string {
  return `Content of the attached file ${name === undefined ? '' : `${JSON.stringify(name)} `}follows.\n\n${text}`
}

/** The content of a turn of the user where it is text alone. Undefined for one with files. */
export function textOnly(content: readonly (string | object)[]): string | undefined {
  return content.every((part) => typeof part === 'string') ? content.join('\n\n') : undefined
}

function labelOf(file: string | Attachment, mediaType: string | undefined): string {
  const { id, name = id, mimeType = mediaType } = typeof file === 'string' ? { id: file, name: file } : file
  const named = name === undefined ? 'without a name' : JSON.stringify(name)
  return mimeType === undefined ? named : `${named} (${mimeType})`
}

function omission(omitted: readonly string[]): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'app_error',
    severity: 'WARNING',
    message: `The model was not given ${omitted.length === 1 ? 'a file' : `${omitted.length} files`} of the conversation. ${omitted.join('; ')}.`,
  })
}

function report({ report: reported }: ChatRun, error: unknown): void {
  if (reported !== undefined) reported(error)
  // oxlint-disable-next-line no-console -- a file that the user believes was read is never left out in silence
  if (reported === undefined) console.error('capstan:', error)
  // oxlint-disable-next-line no-console -- for developers whose `onError` goes to a service
  else if (isDevelopment() && error instanceof AgentError) console.warn(`capstan: ${error.message}`)
}

/** Content of a file, as an app finds it by the id that the page has sent. */
type FileContent = (
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
type FileReference = Attachment & { readonly id: string }

/** Finds the content of a file. */
export type ResolveFile = (file: FileReference) => FileContent | undefined | Promise<FileContent | undefined>

/** A file with its content, in no vendor's form. */
type ModelFile =
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
interface UnreadFile {
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
async function readModelFile(
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
