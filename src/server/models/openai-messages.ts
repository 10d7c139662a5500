import {
  fileText,
  modelTurns,
  textOnly,
  type ChatMessagesOptions,
  type ChatRun,
  type VendorFiles,
} from '../conversation/model-turns.ts'

/** A file as the Responses API takes it. */
export type OpenAiFilePart =
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; file_url: string }
  | { type: 'input_file'; filename: string; file_data: string }

/** An item of `input` of the Responses API. */
export type OpenAiMessage =
  | { role: 'user'; content: string | ({ type: 'input_text'; text: string } | OpenAiFilePart)[] }
  | { role: 'assistant'; content: string }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string }

const IMAGE = /^image\/(png|jpeg|gif|webp)$/
const DOCUMENT =
  /^application\/(pdf|rtf|msword|vnd\.ms-(excel|powerpoint)|vnd\.(openxmlformats-officedocument|oasis\.opendocument)\..+)$/

const FILES: VendorFiles<OpenAiFilePart> = {
  vendor: 'openai',
  reads: 'OpenAI reads PNG, JPEG, GIF, WebP, PDF, office documents and text',
  part(file) {
    if (file.kind === 'text') return fileText(file)
    const { kind, mediaType = '', name = mediaType === 'application/pdf' ? 'file.pdf' : 'file' } = file
    const isImage = IMAGE.test(mediaType)
    if (kind === 'url') {
      if (isImage) return { type: 'input_image', image_url: file.url, detail: 'auto' }
      return /^(image|audio|video)\//.test(mediaType) ? undefined : { type: 'input_file', file_url: file.url }
    }
    const address = `data:${mediaType};base64,${file.data}`
    if (isImage) return { type: 'input_image', image_url: address, detail: 'auto' }
    return DOCUMENT.test(mediaType) ? { type: 'input_file', filename: name, file_data: address } : undefined
  },
}

/**
 * The conversation as `input` of the Responses API: the messages before, and what the user says now, with files and calls of tools. A file
 * that OpenAI does not read is a note for the model, and is reported to `onError` of the handler.
 *
 * @param run the run, or anything with its history and text
 *
 * @example
 * ```ts
 * import { createAgentHandler } from 'capstan/server'
 * import { openAiMessages } from 'capstan/server/models'
 *
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const input = await openAiMessages(run)
 *     yield `OpenAI would be given ${input.length} items.`
 *   },
 * })
 * ```
 */
export async function openAiMessages(run: ChatRun, options: ChatMessagesOptions = {}): Promise<OpenAiMessage[]> {
  const turns = await modelTurns(run, FILES, options)
  return turns.flatMap((turn): OpenAiMessage[] => {
    if (turn.role === 'user') {
      const parts = turn.content.map((part) =>
        typeof part === 'string' ? { type: 'input_text' as const, text: part } : part,
      )
      return [{ role: 'user', content: textOnly(turn.content) ?? parts }]
    }
    // What `fromOpenAi` has received from OpenAI, and added.
    if (turn.role === 'remembered') return turn.items as OpenAiMessage[]
    const { text, calls } = turn
    return [
      ...(text === '' ? [] : [{ role: 'assistant' as const, content: text }]),
      ...calls.map(({ id, name, input }) => ({
        type: 'function_call' as const,
        call_id: id,
        name,
        arguments: JSON.stringify(input),
      })),
      ...calls.map(({ id, output }) => ({ type: 'function_call_output' as const, call_id: id, output })),
    ]
  })
}
