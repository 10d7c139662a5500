'use client'

import { createContext, useContext, useState, useSyncExternalStore } from 'react'
import type { ChatInstance } from '../state/chat.ts'
import { type ChatSnapshot, type Slice, messageById, statusSliceOf } from '../state/chat-snapshot.ts'
import { type ChatMessage, isLiveStatus } from '../state/turn.ts'

/** The chat that components below show. `<Chat>` provides it; an app may provide its own. */
export const ChatContext = createContext<ChatInstance | null>(null)

/**
 * The chat of the nearest {@link ChatContext}.
 *
 * @throws Error outside of one
 *
 * @example
 * ```tsx
 * import { useChatContext } from 'capstan/react'
 *
 * export function StopButton() {
 *   const chat = useChatContext()
 *   return <button onClick={() => void chat.stop()}>Stop</button>
 * }
 * ```
 */
export function useChatContext(): ChatInstance {
  return useChatOf(undefined)
}

/** The given chat, or the nearest one. @throws Error without one */
export function useChatOf(given: ChatInstance | undefined): ChatInstance {
  const nearest = useContext(ChatContext)
  const chat = given ?? nearest
  if (chat === null) {
    throw new Error('There is no chat here: pass `chat`, or render inside <Chat> or a ChatContext.')
  }
  return chat
}

export interface ChatSelectorOptions<Value> {
  /** Chat to read. @default the chat of the nearest `ChatContext` */
  readonly chat?: ChatInstance | undefined
  /** When two selected values count as the same. @default `Object.is` */
  readonly isEqual?: ((left: Value, right: Value) => boolean) | undefined
}

/**
 * A slice of a chat. The component renders again only when the selected value changes.
 *
 * @example
 * ```tsx
 * import { useChatSelector } from 'capstan/react'
 *
 * export function Count() {
 *   const count = useChatSelector(({ messages }) => messages.length)
 *   return <output>{count} messages</output>
 * }
 * ```
 */
export function useChatSelector<Value>(
  selector: (snapshot: ChatSnapshot) => Value,
  options: ChatSelectorOptions<Value> = {},
): Value {
  return useSelection(useChatOf(options.chat), selector, options)
}

/**
 * What no token of an answer changes: the selector does not run for more text. Text that it reads may be out of date; everything else
 * of the snapshot is current.
 *
 * @param selector absent: the snapshot itself
 */
export function useChatStatus(): ChatSnapshot

export function useChatStatus<Value>(
  selector: (snapshot: ChatSnapshot) => Value,
  options?: ChatSelectorOptions<Value>,
): Value

export function useChatStatus<Value>(
  selector: (snapshot: ChatSnapshot) => Value | ChatSnapshot = itself,
  options: ChatSelectorOptions<Value | ChatSnapshot> = {},
): Value | ChatSnapshot {
  return useSelection(statusSliceOf(useChatOf(options.chat)), selector, options)
}

const itself = (snapshot: ChatSnapshot): ChatSnapshot => snapshot

/** One message of the nearest chat: the component renders again only when that message changes. */
export function useChatMessage(messageId: string): ChatMessage | undefined {
  const chat = useChatContext()
  const find = ({ messages }: ChatSnapshot): ChatMessage | undefined => messageById(messages, messageId)
  const now = find(chat.getSnapshot())
  // Either notifies when an answer begins or ends to grow, and with that the other one is read.
  return useSelection(now && isLiveStatus(now.status) ? chat : statusSliceOf(chat), find)
}

function useSelection<Value>(
  store: Slice<ChatSnapshot>,
  selector: (snapshot: ChatSnapshot) => Value,
  { isEqual = Object.is }: Pick<ChatSelectorOptions<Value>, 'isEqual'> = {},
): Value {
  const [keep] = useState(createKeeper<Value>)
  const getSelection = (): Value => keep(selector(store.getSnapshot()), isEqual)
  return useSyncExternalStore(store.subscribe, getSelection, getSelection)
}

/** The value as it is shown: the old object for an equal new one, so that React sees no change. */
function createKeeper<Value>(): (value: Value, isEqual: (left: Value, right: Value) => boolean) => Value {
  let last: { readonly value: Value } | undefined
  return (value, isEqual) => {
    if (last === undefined || !isEqual(last.value, value)) last = { value }
    return last.value
  }
}
