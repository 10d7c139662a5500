import type { ChatMessage, OutgoingMessage } from './message.ts'
import { userMessageId } from './conversation.ts'
import { textOf } from './message.ts'

/** The message in the conversation for something to be sent. */
export function questionOf(
  requestId: string,
  { text, files, metadata }: OutgoingMessage,
  createdAt: number,
): ChatMessage {
  return {
    id: userMessageId(requestId),
    role: 'user',
    parts: [{ type: 'text', id: 'text-1', text }],
    status: 'sending',
    requestId,
    files,
    metadata,
    createdAt,
  }
}

/** What was sent with a message, to send it again. */
export function outgoingOf(message: ChatMessage): OutgoingMessage {
  return { text: textOf(message), files: message.files, metadata: message.metadata }
}

/** The user's message that an answer belongs to: of the given message, or of the last answer. */
export function messageToAskAgain(messages: readonly ChatMessage[], messageId?: string): ChatMessage | undefined {
  const from = messageId === undefined ? messages.length - 1 : messages.findIndex((message) => message.id === messageId)
  return messages.slice(0, from + 1).findLast((message) => message.role === 'user')
}

/** The answers to one request: one for each stream. */
export function answersTo(requestId: string, messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.filter((message) => message.requestId === requestId && message.role === 'assistant')
}

/** A message that never arrived. */
export function isUnsent(message: ChatMessage): message is ChatMessage & { readonly requestId: string } {
  return message.status === 'not-sent' && message.requestId !== undefined
}
