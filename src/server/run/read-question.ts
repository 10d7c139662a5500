import { isJsonObject } from '../../base/json-object.ts'
import type { Attachment } from '../../protocols/chat-input.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'

/** What the user said, as a request has it. */
export interface Question {
  readonly text: string
  readonly files: readonly (string | Attachment)[]
}

/** Reads text and files of a request. CAP leaves the keys of its payload open: `query` is what most documents say, `input` what one does. */
export function readQuestion({ payload }: ServiceRequest): Question {
  const { query, input, files, parts } = payload.payload
  return {
    text: [query, input].find((said): said is string => typeof said === 'string') ?? '',
    files: [
      ...(Array.isArray(files) ? files.filter((file): file is string => typeof file === 'string') : []),
      ...(Array.isArray(parts) ? parts.flatMap((part: unknown) => attachmentOf(part) ?? []) : []),
    ],
  }
}

/** A blob of a ChatMessage (CAP section 3.5). */
function attachmentOf(part: unknown): Attachment | undefined {
  if (!isJsonObject(part) || part['type'] !== 'blob' || typeof part['content'] !== 'string') return undefined
  const { content, mime_type } = part
  return { data: content, ...(typeof mime_type === 'string' && { mimeType: mime_type }) }
}
