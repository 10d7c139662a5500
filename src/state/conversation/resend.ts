import type { Message, OutgoingMessage } from './message.ts'
import { userMessageId } from './conversation.ts'
import { textOf } from './message.ts'

/** The message in the conversation for something to be sent. */
export function questionOf(requestId: string, { text, files, metadata }: OutgoingMessage, createdAt: number): Message {
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
export function outgoingOf(message: Message): OutgoingMessage {
  return { text: textOf(message), files: message.files, metadata: message.metadata }
}

/** The user's message that an answer belongs to: of the given message, or of the last answer. */
export function messageToAskAgain(messages: readonly Message[], messageId?: string): Message | undefined {
  const from = messageId === undefined ? messages.length - 1 : messages.findIndex((message) => message.id === messageId)
  return messages.slice(0, from + 1).findLast((message) => message.role === 'user')
}

/** The answers to one request: one for each stream. */
export function answersTo(requestId: string, messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => message.requestId === requestId && message.role === 'assistant')
}

/** A message that never arrived. */
export function isUnsent(message: Message): message is Message & { readonly requestId: string } {
  return message.status === 'not-sent' && message.requestId !== undefined
}
