import type { OutgoingMessage } from './chat-snapshot.ts'
import type { Message } from './message.ts'
import { textOf } from './message.ts'

/** What was sent with a message, to send it again. */
export function outgoingOf(message: Message): OutgoingMessage {
  return { text: textOf(message), files: message.files, metadata: message.metadata }
}

/** The person's message that an answer belongs to: of the given message, or of the last answer. */
export function messageToAskAgain(messages: readonly Message[], messageId?: string): Message | undefined {
  const from = messageId === undefined ? messages.length - 1 : messages.findIndex((message) => message.id === messageId)
  return messages.slice(0, from + 1).findLast((message) => message.role === 'user')
}
