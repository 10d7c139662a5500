'use client'
import { useContext, useMemo, useState, useSyncExternalStore } from 'react'
import type { ChatInstance } from '../state/chat.ts'
import type { ChatSnapshot } from '../state/chat-snapshot.ts'
import { slicesOf } from '../state/chat-slices.ts'
import type { ChatMessage } from '../state/conversation/message.ts'
import { ChatContext } from './chat-context.ts'

export interface ChatSelectorOptions<Value> {
  /** Chat to read. @default the chat of the nearest `ChatContext` */
  readonly chat?: ChatInstance | undefined
  /** When two selected values count as the same. @default `Object.is` */
  readonly isEqual?: ((left: Value, right: Value) => boolean) | undefined
}

/** Gives the old object back for an equal new one, so that React sees no change. */
function createKeeper<Value>(): (value: Value, isEqual: (left: Value, right: Value) => boolean) => Value {
  let last: { readonly value: Value } | undefined
  return (value, isEqual) => {
    if (last === undefined || !isEqual(last.value, value)) last = { value }
    return last.value
  }
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
  const chat = useChatOf(options.chat)
  return useSelection(() => chat.getSnapshot(), chat.subscribe, selector, options.isEqual)
}

/**
 * A slice of a chat that no token of an answer changes: the selector does not run for more text. Text that it reads may be out of
 * date; everything else of the snapshot is current.
 */
export function useChatStatus<Value>(
  selector: (snapshot: ChatSnapshot) => Value,
  options: ChatSelectorOptions<Value> = {},
): Value {
  const { status } = slicesOf(useChatOf(options.chat))
  return useSelection(status.get, status.subscribe, selector, options.isEqual)
}

const never = (): (() => void) => () => {}

/** One message of the nearest chat: the component renders again only when that message changes. @param messageId undefined: none */
export function useChatMessage(messageId: string | undefined): ChatMessage | undefined {
  const chat = useChatOf(undefined)
  const slice = useMemo(
    () => (messageId === undefined ? undefined : slicesOf(chat).transcript(messageId)),
    [chat, messageId],
  )
  const getMessage = (): ChatMessage | undefined => slice?.get()
  return useSyncExternalStore(slice?.subscribe ?? never, getMessage, getMessage)
}

function useChatOf(given: ChatInstance | undefined): ChatInstance {
  const nearest = useContext(ChatContext)
  const chat = given ?? nearest
  if (chat === null)
    throw new Error('There is no chat to select from: pass `chat`, or use the hook inside <Chat> or a ChatContext.')
  return chat
}

function useSelection<Value>(
  get: () => ChatSnapshot,
  subscribe: (listener: () => void) => () => void,
  selector: (snapshot: ChatSnapshot) => Value,
  isEqual: (left: Value, right: Value) => boolean = Object.is,
): Value {
  const [keep] = useState(() => createKeeper<Value>())
  // A function of its own in each render: it reads with the newest selector.
  const getSelection = (): Value => keep(selector(get()), isEqual)
  return useSyncExternalStore(subscribe, getSelection, getSelection)
}
