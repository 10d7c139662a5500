import { createAgUiError } from '../../protocols/ag-ui/errors.ts'
import type { AgUiContentPart } from '../../protocols/ag-ui/schema/message.ts'
import type { Attachment } from '../../protocols/chat-input.ts'

/** The part of a file: bytes with their type, an address, or the handle of a provider. It is loaded with the first file. */
export type FilePart = (file: string | Attachment) => AgUiContentPart

/** @throws AgUiError `invalid_request` for bytes without a media type */
export const filePart: FilePart = (file) => {
  const { id = '', data, name, mimeType }: Partial<Attachment> = typeof file === 'string' ? { id: file } : file
  const [, type = 'document'] = /^(image|audio|video)\//.exec(mimeType ?? '') ?? []
  const filename = name === undefined ? {} : { metadata: { filename: name } }
  const typed = mimeType === undefined ? {} : { mimeType }
  if (data === undefined)
    return { type, source: { type: URL.canParse(id) ? 'url' : 'file', value: id, ...typed }, ...filename }
  if (mimeType !== undefined) return { type, source: { type: 'data', value: data, mimeType }, ...filename }
  throw createAgUiError({
    kind: 'protocol',
    code: 'invalid_request',
    severity: 'FATAL',
    message: `The file ${JSON.stringify(name ?? '')} has no media type: AG-UI carries bytes with one.`,
  })
}
