'use client'
import { useContext, useState, useSyncExternalStore } from 'react'
import type { ChatInstance } from '../state/chat.ts'
import type { ChatSnapshot } from '../state/chat-snapshot.ts'
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
  const nearest = useContext(ChatContext)
  const chat = options.chat ?? nearest
  if (chat === null)
    throw new Error('There is no chat to select from: pass `chat`, or use the hook inside <Chat> or a ChatContext.')
  const isEqual = options.isEqual ?? Object.is
  const [keep] = useState(() => createKeeper<Value>())
  const getSelection = (): Value => keep(selector(chat.getSnapshot()), isEqual)
  return useSyncExternalStore(chat.subscribe, getSelection, getSelection)
}
