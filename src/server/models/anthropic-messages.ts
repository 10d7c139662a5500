import {
  modelTurns,
  textOnly,
  type ChatMessagesOptions,
  type ChatRun,
  type VendorFiles,
} from '../conversation/model-turns.ts'

type AnthropicImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** A file as the Messages API takes it. */
export type AnthropicFilePart =
  | {
      type: 'image'
      source: { type: 'base64'; media_type: AnthropicImageType; data: string } | { type: 'url'; url: string }
    }
  | {
      type: 'document'
      source:
        | { type: 'base64'; media_type: 'application/pdf'; data: string }
        | { type: 'text'; media_type: 'text/plain'; data: string }
        | { type: 'url'; url: string }
      title?: string
    }

interface TextBlock {
  type: 'text'
  text: string
}

/** A message of the Messages API. */
export type AnthropicMessage =
  | {
      role: 'user'
      content:
        | string
        | (
            | TextBlock
            | AnthropicFilePart
            | { type: 'tool_result'; tool_use_id: string; content: string; is_error?: boolean }
          )[]
    }
  | {
      role: 'assistant'
      content: string | (TextBlock | { type: 'tool_use'; id: string; name: string; input: unknown })[]
    }

const IMAGE_TYPES: readonly AnthropicImageType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

const FILES: VendorFiles<AnthropicFilePart> = {
  vendor: 'anthropic',
  reads: 'Anthropic reads PNG, JPEG, GIF, WebP, PDF and text, and at a URL only pictures and PDF',
  part(file) {
    const titled = file.name === undefined ? {} : { title: file.name }
    if (file.kind === 'text')
      return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: file.text }, ...titled }
    const image = IMAGE_TYPES.find((type) => type === file.mediaType)
    const isPdf = file.mediaType === 'application/pdf'
    if (file.kind === 'url') {
      const source = { type: 'url' as const, url: file.url }
      if (image !== undefined) return { type: 'image', source }
      return isPdf ? { type: 'document', source, ...titled } : undefined
    }
    const { data } = file
    if (image !== undefined) return { type: 'image', source: { type: 'base64', media_type: image, data } }
    if (!isPdf) return undefined
    return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data }, ...titled }
  },
}

/**
 * The conversation as `messages` of the Messages API: the messages before, and what the user says now, with files and calls of tools. A file
 * that Anthropic does not read is a note for the model, and is reported to `onError` of the handler. Anthropic wants `tools` in a request whose
 * messages have calls.
 *
 * @param run the run, or anything with its history and text
 *
 * @example
 * ```ts
 * import { createAgentHandler } from 'capstan/server'
 * import { anthropicMessages } from 'capstan/server/models'
 *
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const messages = await anthropicMessages(run)
 *     yield `Anthropic would be given ${messages.length} messages.`
 *   },
 * })
 * ```
 */
export async function anthropicMessages(run: ChatRun, options: ChatMessagesOptions = {}): Promise<AnthropicMessage[]> {
  const turns = await modelTurns(run, FILES, options)
  const messages: AnthropicMessage[] = []
  // Results of calls are messages of the user: what the user says to them is in the same one, so that roles alternate.
  let results: Extract<AnthropicMessage['content'][number], { type: 'tool_result' }>[] = []
  for (const turn of turns) {
    if (turn.role === 'user') {
      const parts = turn.content.map((part) => (typeof part === 'string' ? textBlock(part) : part))
      const text = results.length === 0 ? textOnly(turn.content) : undefined
      messages.push({ role: 'user', content: text ?? [...results, ...parts] })
      results = []
      continue
    }
    if (results.length > 0) messages.push({ role: 'user', content: results })
    results = []
    if (turn.role === 'remembered') {
      // What `fromAnthropic` has received from Anthropic, and added. It ends with the model's own message.
      messages.push(...(turn.items as AnthropicMessage[]))
      continue
    }
    const { text, calls } = turn
    const uses = calls.map(({ id, name, input }) => ({ type: 'tool_use' as const, id, name, input }))
    const said = text === '' ? [] : [textBlock(text)]
    messages.push({ role: 'assistant', content: uses.length === 0 ? text : [...said, ...uses] })
    results = calls.map(({ id, output, hasFailed }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: output,
      ...(hasFailed && { is_error: true }),
    }))
  }
  return messages
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text }
}
