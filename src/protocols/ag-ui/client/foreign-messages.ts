import { createAgUiError } from '../errors.ts'
import type { AgUiContentPart } from '../messages.ts'
import type { Attachment } from '../../../seam/chat-input.ts'
import { asText, type ForeignMessages, resultMessage, saidText } from './thread-messages.ts'

/**
 * A message of the user with its files, or an answer that another protocol or the app has made. It is loaded with the first of them.
 *
 * @throws AgUiError `invalid_request` for bytes without a media type
 */
export const foreignMessages: ForeignMessages = (message) => {
  const { id, role, parts, files = [] } = message
  const text = saidText(message)
  if (role !== 'assistant')
    return [{ id, role, content: [...(text === '' ? [] : [{ type: 'text', text }]), ...files.map(filePart)] }]
  const calls = parts.flatMap((part) => (part.type === 'tool-call' && part.status === 'complete' ? [part] : []))
  const toolCalls = calls.map(({ id: callId, name, input }) => ({
    id: callId,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(input ?? {}) },
  }))
  if (text === '' && toolCalls.length === 0) return []
  const own = { id, role, content: text, ...(toolCalls.length > 0 && { toolCalls }) }
  return [own, ...calls.map(({ id: callId, output }) => resultMessage(callId, asText(output)))]
}

/** The part of a file: bytes with their type, an address, or the handle of a provider. */
function filePart(file: string | Attachment): AgUiContentPart {
  const { id, data, name, mimeType }: Partial<Attachment> = typeof file === 'string' ? { id: file } : file
  const [, type = 'document'] = /^(image|audio|video)\//.exec(mimeType ?? '') ?? []
  const filename = name === undefined ? {} : { metadata: { filename: name } }
  const typed = mimeType === undefined ? {} : { mimeType }
  if (data === undefined)
    return {
      type,
      source: { type: id !== undefined && URL.canParse(id) ? 'url' : 'file', value: id, ...typed },
      ...filename,
    }
  if (mimeType !== undefined) return { type, source: { type: 'data', value: data, mimeType }, ...filename }
  throw createAgUiError({
    kind: 'protocol',
    code: 'invalid_request',
    severity: 'FATAL',
    message: `The file ${JSON.stringify(name ?? '')} has no media type: AG-UI carries bytes with one.`,
  })
}
