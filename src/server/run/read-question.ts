import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { Attachment } from '../../seam/chat-input.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'

/** The user's message in a request. */
export interface Question {
  readonly text: string
  readonly files: readonly (string | Attachment)[]
  /** What the page sent with it. Absent: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** Keys of the metadata that clients and wires of this package write for the server. */
const OWN_KEYS = new Set(['replaces', 'state', 'state_edit', 'is_first'])

/**
 * Reads text, files and metadata of a request. CAP leaves the keys of its payload open: `query` is what most documents say, `input` what
 * one does; text may also be in `parts`, the parts of a ChatMessage (CAP section 3.5). Files are ids in `files`, and parts or attachments of
 * them in `parts`.
 */
export function readQuestion({ payload }: ServiceRequest): Question {
  const { query, input, files, parts } = payload.payload
  const metadata = appMetadata(payload.metadata)
  const items = Array.isArray(parts) ? parts.filter(isJsonObject) : []
  return {
    text: [query, input].find((said): said is string => typeof said === 'string') ?? items.map(textOf).join(''),
    files: [
      ...(Array.isArray(files) ? files.filter((file): file is string => typeof file === 'string') : []),
      ...items.flatMap(attachmentsOf),
    ],
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

/** The metadata of the app. */
export function appMetadata(metadata: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !OWN_KEYS.has(key)))
}

/** Of a text part, or of a part that has text and attachments. */
function textOf({ type, content, text }: JsonObject): string {
  const said = type === 'text' ? content : text
  return typeof said === 'string' ? said : ''
}

function attachmentsOf(part: JsonObject): Attachment[] {
  const { attachments } = part
  const nested = Array.isArray(attachments) ? attachments.filter(isJsonObject) : []
  return [part, ...nested.map(({ id, ...rest }) => ({ ...rest, type: 'file', file_id: id }))].flatMap(
    (each) => attachmentOf(each) ?? [],
  )
}

/** A part that is a file. `name` is an addition of this package: CAP ignores keys that it does not know. */
function attachmentOf(part: JsonObject): Attachment | undefined {
  const { type, content, file_id: fileId, uri, mime_type: mimeType, name } = part
  const described = {
    ...(typeof name === 'string' && { name }),
    ...(typeof mimeType === 'string' && { mimeType }),
  }
  if (type === 'blob' && typeof content === 'string') return { data: content, ...described }
  const id = type === 'file' ? fileId : type === 'uri' ? uri : undefined
  return typeof id === 'string' ? { id, ...described } : undefined
}

/** Files as parts of a ChatMessage. */
export function filePartsOf(files: readonly Attachment[]): JsonObject[] {
  return files.map(({ id, data, name, mimeType }) => ({
    ...(data === undefined ? { type: 'file', file_id: id } : { type: 'blob', content: data }),
    modality: /^(image|audio|video)\//.exec(String(mimeType))?.[1] ?? 'text',
    mime_type: mimeType,
    name,
  }))
}
