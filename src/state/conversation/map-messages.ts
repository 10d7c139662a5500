import type { Conversation } from './conversation.ts'
import type { ChatMessage } from './message.ts'

/** The conversation with changed messages; the same one when none changes. */
export function mapMessages(conversation: Conversation, update: (message: ChatMessage) => ChatMessage): Conversation {
  let changed = false
  const messages = conversation.messages.map((message) => {
    const updated = update(message)
    if (updated !== message) changed = true
    return updated
  })
  return changed ? { messages, turn: conversation.turn } : conversation
}
