import { sameMembers } from '../base/equal-json.ts'
import type { ChatSnapshot } from './chat-snapshot.ts'
import type { ChatMessage, MessagePart } from './conversation/message.ts'
import { isLiveStatus } from './conversation/message.ts'

/** A value to read, and to be notified of. */
export interface Slice<Value> {
  getSnapshot(): Value
  subscribe(listener: () => void): () => void
}

const slices = new WeakMap<Slice<ChatSnapshot>, Slice<ChatSnapshot>>()

/**
 * The snapshot of a chat as of the last change that was not only more text of an answer under way: such text may be out of date, everything
 * else is current. For what a token cannot change: status, connection, errors, queue, prompts, leases, which messages there are. The chat
 * is subscribed to once, and the same slice is returned at each call.
 */
export function statusSliceOf(chat: Slice<ChatSnapshot>): Slice<ChatSnapshot> {
  const slice = slices.get(chat) ?? createStatusSlice(chat)
  slices.set(chat, slice)
  return slice
}

function createStatusSlice(chat: Slice<ChatSnapshot>): Slice<ChatSnapshot> {
  const listeners = new Set<() => void>()
  /** Forgotten with the last listener: a chat that is kept while no component shows it may outlive what it showed. */
  let status: ChatSnapshot | undefined
  let notified: ChatSnapshot | undefined
  let unsubscribe: () => void

  function getSnapshot(): ChatSnapshot {
    const now = chat.getSnapshot()
    if (status === undefined || !sameMembers(status, now, hasGrown)) status = now
    return status
  }

  function notify(): void {
    if (getSnapshot() === notified) return
    notified = status
    for (const listener of [...listeners]) listener()
  }

  return {
    getSnapshot,
    subscribe(listener) {
      if (listeners.size === 0) {
        notified = getSnapshot()
        unsubscribe = chat.subscribe(notify)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        unsubscribe()
        status = undefined
        notified = undefined
      }
    },
  }
}

const indexes = new WeakMap<readonly ChatMessage[], ReadonlyMap<string, ChatMessage>>()

/** The message of that id. The index is built once per list: one walk, however many messages are looked up. */
export function messageById(messages: readonly ChatMessage[], id: string): ChatMessage | undefined {
  const index = indexes.get(messages) ?? new Map(messages.map((message) => [message.id, message]))
  indexes.set(messages, index)
  return index.get(id)
}

/** Whether a message differs in nothing but the text of its parts, and may grow on. */
function hasGrown(before: ChatMessage, now: ChatMessage): boolean {
  return isLiveStatus(now.status) && sameMembers(before, now, isText)
}

function isText(before: MessagePart, now: MessagePart): boolean {
  return 'text' in now && before.type === now.type && before.id === now.id
}
