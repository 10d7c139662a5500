import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { Attachment } from '../../protocols/chat-input.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'

/** What the user said, as a request has it. */
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
 * one does. Files are ids in `files`, and parts of a ChatMessage (CAP section 3.5) in `parts`.
 */
export function readQuestion({ payload }: ServiceRequest): Question {
  const { query, input, files, parts } = payload.payload
  const metadata = appMetadata(payload.metadata)
  return {
    text: [query, input].find((said): said is string => typeof said === 'string') ?? '',
    files: [
      ...(Array.isArray(files) ? files.filter((file): file is string => typeof file === 'string') : []),
      ...(Array.isArray(parts) ? parts.flatMap((part: unknown) => attachmentOf(part) ?? []) : []),
    ],
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

/** The metadata of the app. */
export function appMetadata(metadata: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !OWN_KEYS.has(key)))
}

/** A part that is a file. `name` is an addition of this package: CAP ignores keys that it does not know. */
function attachmentOf(part: unknown): Attachment | undefined {
  if (!isJsonObject(part)) return undefined
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
