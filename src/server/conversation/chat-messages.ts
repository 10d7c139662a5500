import {
  fileText,
  modelTurns,
  textOnly,
  type ChatMessagesOptions,
  type ChatRun,
  type VendorFiles,
} from './model-turns.ts'

interface TextPart {
  type: 'text'
  text: string
}

/** A file in the form of the AI SDK. */
export interface ModelFilePart {
  type: 'file'
  /** Its bytes in base64, or its address. */
  data: string | URL
  mediaType: string
  filename?: string
}

/**
 * A message in the form of the AI SDK. Without files and calls of tools its content is a string, which other SDKs take too. Its arrays
 * are mutable, as the types of the SDK want them.
 */
export type ModelMessage =
  | {
      readonly role: 'user'
      readonly content: string | (TextPart | ModelFilePart)[]
      /** What the page has sent with the message. Absent: nothing. */
      readonly metadata?: Readonly<Record<string, unknown>>
    }
  | {
      readonly role: 'assistant'
      readonly content:
        | string
        | (TextPart | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown })[]
    }
  | {
      readonly role: 'tool'
      readonly content: {
        type: 'tool-result'
        toolCallId: string
        toolName: string
        output: { type: 'text' | 'error-text'; value: string }
      }[]
    }

const FILES: VendorFiles<ModelFilePart> = {
  vendor: 'ai-sdk',
  reads: 'the AI SDK needs the media type of a file at a URL',
  part(file) {
    if (file.kind === 'text') return fileText(file)
    const { mediaType, name } = file
    if (mediaType === undefined) return undefined
    const named = name === undefined ? {} : { filename: name }
    return { type: 'file', data: file.kind === 'url' ? new URL(file.url) : file.data, mediaType, ...named }
  },
}

/**
 * The conversation for a model: the messages before, and what the user says now, with files, calls of tools and metadata, in the form of
 * the AI SDK. For other SDKs there are `openAiMessages`, `anthropicMessages` and `langChainMessages`, next to their helpers. Files of text are
 * given as text; a file that cannot be given is a note for the model, and is reported to `onError` of the handler. Answers without text and
 * calls are left out. Messages of the user that follow each other are joined, because some models want the roles to alternate.
 *
 * @param run the run, or anything with its history and text
 *
 * @example
 * ```ts
 * import { chatMessages, createAgentHandler } from 'capstan/server'
 *
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     const messages = await chatMessages(run)
 *     yield `A model would be told ${messages.length} messages.`
 *   },
 * })
 * ```
 */
export async function chatMessages(run: ChatRun, options: ChatMessagesOptions = {}): Promise<ModelMessage[]> {
  const turns = await modelTurns(run, FILES, options)
  return turns.flatMap((turn): ModelMessage[] => {
    if (turn.role === 'user') {
      const { content, metadata } = turn
      const parts = content.map((part) => (typeof part === 'string' ? textPart(part) : part))
      return [{ role: 'user', content: textOnly(content) ?? parts, ...(metadata && { metadata }) }]
    }
    // What the AI SDK has received, and its helper has remembered.
    if (turn.role === 'remembered') return turn.items as ModelMessage[]
    const { text, calls } = turn
    if (calls.length === 0) return [{ role: 'assistant', content: text }]
    return [
      {
        role: 'assistant',
        content: [
          ...(text === '' ? [] : [textPart(text)]),
          ...calls.map(({ id, name, input }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input,
          })),
        ],
      },
      {
        role: 'tool',
        content: calls.map(({ id, name, output, hasFailed }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: name,
          output: { type: hasFailed ? 'error-text' : 'text', value: output },
        })),
      },
    ]
  })
}

function textPart(text: string): TextPart {
  return { type: 'text', text }
}
