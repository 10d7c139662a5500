import {
  fileText,
  modelTurns,
  textOnly,
  type ChatMessagesOptions,
  type ChatRun,
  type VendorFiles,
} from '../conversation/model-turns.ts'

/** A file as the chat models of LangChain take it. */
export type LangChainFilePart =
  | { type: 'image_url'; image_url: { url: string } }
  | {
      type: 'file'
      source_type: 'base64'
      mime_type: 'application/pdf'
      data: string
      metadata: { filename: string }
    }

/** A message that LangChain makes a message of. */
export type LangChainMessage =
  | { role: 'user'; content: string | ({ type: 'text'; text: string } | LangChainFilePart)[] }
  | {
      role: 'assistant'
      content: string
      tool_calls?: { id: string; name: string; args: Record<string, unknown>; type: 'tool_call' }[]
    }
  | { role: 'tool'; content: string; tool_call_id: string; name: string; status: 'success' | 'error' }

const IMAGE = /^image\/(png|jpeg|gif|webp)$/

const FILES: VendorFiles<LangChainFilePart> = {
  vendor: 'langchain',
  reads: 'the chat models of LangChain read PNG, JPEG, GIF, WebP, PDF and text, and at a URL only pictures',
  part(file) {
    if (file.kind === 'text') return fileText(file)
    const { mediaType = '', name = 'file.pdf' } = file
    const isImage = IMAGE.test(mediaType)
    if (file.kind === 'url') return isImage ? { type: 'image_url', image_url: { url: file.url } } : undefined
    if (isImage) return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${file.data}` } }
    if (mediaType !== 'application/pdf') return undefined
    return { type: 'file', source_type: 'base64', mime_type: mediaType, data: file.data, metadata: { filename: name } }
  },
}

/**
 * The conversation as messages of LangChain: the messages before, and what the user says now, with files and calls of tools. A file that no
 * chat model of LangChain reads is a note for the model, and is reported to `onError` of the handler.
 *
 * @param run the run, or anything with its history and text
 *
 * @example
 * ```ts
 * import { createAgentHandler } from 'capstan/server'
 * import { langChainMessages } from 'capstan/server/models'
 *
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const messages = await langChainMessages(run)
 *     yield `The graph would be given ${messages.length} messages.`
 *   },
 * })
 * ```
 */
export async function langChainMessages(run: ChatRun, options: ChatMessagesOptions = {}): Promise<LangChainMessage[]> {
  const turns = await modelTurns(run, FILES, options)
  return turns.flatMap((turn): LangChainMessage[] => {
    if (turn.role === 'user') {
      const parts = turn.content.map((part) =>
        typeof part === 'string' ? { type: 'text' as const, text: part } : part,
      )
      return [{ role: 'user', content: textOnly(turn.content) ?? parts }]
    }
    // What LangChain has received, and its helper has remembered.
    if (turn.role === 'remembered') return turn.items as LangChainMessage[]
    const { text, calls } = turn
    const used = calls.map(({ id, name, input }) => ({ id, name, args: { ...input }, type: 'tool_call' as const }))
    return [
      { role: 'assistant', content: text, ...(used.length > 0 && { tool_calls: used }) },
      ...calls.map(({ id, name, output, hasFailed }) => ({
        role: 'tool' as const,
        content: output,
        tool_call_id: id,
        name,
        status: hasFailed ? ('error' as const) : ('success' as const),
      })),
    ]
  })
}
