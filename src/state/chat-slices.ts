import type { ChatInstance } from './chat-actions.ts'
import type { ChatSnapshot } from './chat-snapshot.ts'
import type { ChatMessage, MessagePart } from './conversation/message.ts'

/** Something to read and to be notified of, as `useSyncExternalStore` wants it. */
export interface Slice<Value> {
  get(): Value
  subscribe(listener: () => void): () => void
}

/**
 * A chat in two slices, so that a token notifies only what shows it. However many parts of a view there are, the chat itself is
 * subscribed to once.
 */
export interface ChatSlices {
  /**
   * The snapshot as of the last change that was not only more text of an answer: text in it may be out of date, everything else is
   * current. For what a token cannot change: status, connection, errors, queue, prompts, leases, which messages there are.
   */
  readonly status: Slice<ChatSnapshot>
  /** One message, for a view of that message alone. Undefined: there is none with that id. */
  transcript(messageId: string): Slice<ChatMessage | undefined>
}

type SlicedChat = Pick<ChatInstance, 'getSnapshot' | 'subscribe'>

const slices = new WeakMap<SlicedChat, ChatSlices>()

/** The slices of a chat, the same ones at each call. */
export function slicesOf(chat: SlicedChat): ChatSlices {
  const known = slices.get(chat)
  if (known !== undefined) return known
  const made = createChatSlices(chat)
  slices.set(chat, made)
  return made
}

function createChatSlices(chat: SlicedChat): ChatSlices {
  const statusListeners = new Set<() => void>()
  /** By message id. */
  const messageListeners = new Map<string, Set<() => void>>()
  let status = chat.getSnapshot()
  /** The newest snapshot that `status` was compared with. */
  let compared = status
  /** What the listeners were notified of. */
  let [notifiedStatus, notifiedMessages] = [status, status.messages]
  let unsubscribe: (() => void) | undefined

  function getStatus(): ChatSnapshot {
    const now = chat.getSnapshot()
    if (now !== compared && !hasOnlyGrown(status, now)) status = now
    compared = now
    return status
  }

  function notify(): void {
    const { messages } = chat.getSnapshot()
    const changed = changedIds(notifiedMessages, messages)
    const isStatusChanged = getStatus() !== notifiedStatus
    notifiedMessages = messages
    notifiedStatus = status
    if (isStatusChanged) for (const listener of [...statusListeners]) listener()
    for (const id of changed) for (const listener of [...(messageListeners.get(id) ?? [])]) listener()
  }

  /** Adds a listener to one of the sets; the chat is subscribed to while there is one in any of them. */
  function listen(listeners: Set<() => void>, listener: () => void, onEmpty = (): void => {}): () => void {
    if (unsubscribe === undefined) {
      notifiedMessages = chat.getSnapshot().messages
      notifiedStatus = getStatus()
      unsubscribe = chat.subscribe(notify)
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) onEmpty()
      if (statusListeners.size > 0 || messageListeners.size > 0) return
      unsubscribe?.()
      unsubscribe = undefined
    }
  }

  return {
    status: { get: getStatus, subscribe: (listener) => listen(statusListeners, listener) },
    transcript: (messageId) => ({
      get: () => messageById(chat.getSnapshot().messages, messageId),
      subscribe(listener) {
        const listeners = messageListeners.get(messageId) ?? new Set()
        messageListeners.set(messageId, listeners)
        return listen(listeners, listener, () => messageListeners.delete(messageId))
      },
    }),
  }
}

const indexes = new WeakMap<readonly ChatMessage[], ReadonlyMap<string, ChatMessage>>()

/** The message of that id. The index is built once per list: one walk, however many messages are looked up. */
export function messageById(messages: readonly ChatMessage[], id: string): ChatMessage | undefined {
  const known = indexes.get(messages)
  const index = known ?? new Map(messages.map((message) => [message.id, message]))
  if (known === undefined) indexes.set(messages, index)
  return index.get(id)
}

/** Ids of the messages that are new, gone, changed or at another place. */
function changedIds(before: readonly ChatMessage[], now: readonly ChatMessage[]): ReadonlySet<string> {
  const ids = new Set<string>()
  if (before === now) return ids
  for (let index = 0; index < Math.max(before.length, now.length); index += 1) {
    const [old, message] = [before[index], now[index]]
    if (old === message) continue
    if (old !== undefined) ids.add(old.id)
    if (message !== undefined) ids.add(message.id)
  }
  return ids
}

/** Whether two snapshots differ in nothing but the text of parts that both have. */
function hasOnlyGrown(before: ChatSnapshot, now: ChatSnapshot): boolean {
  return (
    isAlikeBut('messages', before, now) &&
    before.messages.length === now.messages.length &&
    now.messages.every((message, index) => isSameOrGrown(before.messages[index], message))
  )
}

function isSameOrGrown(before: ChatMessage | undefined, now: ChatMessage): boolean {
  if (before === now) return true
  return (
    before !== undefined &&
    isAlikeBut('parts', before, now) &&
    before.parts.length === now.parts.length &&
    now.parts.every((part, index) => part === before.parts[index] || isText(part, before.parts[index]))
  )
}

/** Whether both are text, or a thought, at the same place. */
function isText({ type, id }: MessagePart, before: MessagePart | undefined): boolean {
  return (type === 'text' || type === 'thought') && before?.type === type && before.id === id
}

/** Whether two objects have the same values in every field but one. */
function isAlikeBut<Value extends object>(field: keyof Value, before: Value, now: Value): boolean {
  return [before, now].every((either) =>
    // An interface's own keys: both come from the same constructor of plain objects.
    (Object.keys(either) as (keyof Value)[]).every((key) => key === field || before[key] === now[key]),
  )
}
