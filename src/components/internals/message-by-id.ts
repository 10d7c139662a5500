import type { Message } from '../../state/conversation/message.ts'

const indexes = new WeakMap<readonly Message[], ReadonlyMap<string, Message>>()

/**
 * The message of that id. Every message of a thread asks on every publish, so the index is built
 * once per snapshot: one walk instead of one per message.
 */
export function messageById(messages: readonly Message[], id: string): Message | undefined {
  let index = indexes.get(messages)
  if (!index) {
    index = new Map(messages.map((message) => [message.id, message]))
    indexes.set(messages, index)
  }
  return index.get(id)
}
