import type { ChatMessage } from '../../state/conversation/message.ts'

const indexes = new WeakMap<readonly ChatMessage[], ReadonlyMap<string, ChatMessage>>()

/**
 * The message of that id. Every message of a thread asks on every publish, so the index is built
 * once per snapshot: one walk instead of one per message.
 */
export function messageById(messages: readonly ChatMessage[], id: string): ChatMessage | undefined {
  let index = indexes.get(messages)
  if (!index) {
    index = new Map(messages.map((message) => [message.id, message]))
    indexes.set(messages, index)
  }
  return index.get(id)
}
