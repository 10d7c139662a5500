import type { Attachment } from '../../seam/chat-input.ts'
import type { ConversationAnswer, ConversationPart, ConversationTurn, ModelRecord } from './conversation-store.ts'

/** A message of a conversation, in no protocol's form. */
export interface ConversationMessage {
  /** Unique in its conversation. */
  readonly id: string
  readonly role: 'user' | 'assistant'
  /** All text of it. Empty for an answer of other parts only. */
  readonly text: string
  /** Text, tools, sources and everything else, in their order. */
  readonly parts: readonly ConversationPart[]
  /** Files that went with a message of the user. Absent: none. */
  readonly files?: readonly (string | Attachment)[] | undefined
  /** What the page sent with a message of the user. Absent: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Of an answer; a message of the user is `complete`. Text of an answer that is not `complete` may end in mid-sentence. */
  readonly status: ConversationAnswer['status']
  /** The request that asked, or was answered. */
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Of an answer in `run.history()`: what `run.remember` has stored with it. Absent: nothing. */
  readonly model?: ModelRecord | undefined
}

/** The messages of turns that a page may read: the user's and the answers. Empty answers are omitted. */
export function messagesOf(turns: readonly ConversationTurn[]): ConversationMessage[] {
  return historyOf(turns).map((message) => {
    const { model: _, ...shown } = message
    return shown
  })
}

/** The messages of turns, with what the server remembers for the model. */
export function historyOf(turns: readonly ConversationTurn[]): ConversationMessage[] {
  return turns.flatMap(({ id: requestId, text, files, metadata, at, answer }) => {
    const question: ConversationMessage = {
      id: requestId,
      role: 'user',
      text,
      parts: text === '' ? [] : [{ type: 'text', text, id: 'text' }],
      ...(files !== undefined && { files }),
      ...(metadata !== undefined && { metadata }),
      status: 'complete',
      requestId,
      at,
    }
    if (answer === undefined || answer.parts.length === 0) return [question]
    const { parts, status, at: ended, model } = answer
    const said = { text: textOf(parts), parts, status, requestId, at: ended, ...(model !== undefined && { model }) }
    return [question, { id: `${requestId}-answer`, role: 'assistant', ...said }]
  })
}

function textOf(parts: readonly ConversationPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}
