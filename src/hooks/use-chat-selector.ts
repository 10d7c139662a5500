'use client'
import { useContext, useState, useSyncExternalStore } from 'react'
import type { Chat, ChatSnapshot } from '../state/chat-snapshot.ts'
import { ChatContext } from './chat-context.ts'

export interface ChatSelectorOptions<Value> {
  /** Another chat than the nearest one. */
  readonly chat?: Chat | undefined
  /** When two selected values count as the same (default `Object.is`). */
  readonly isEqual?: ((left: Value, right: Value) => boolean) | undefined
}

/** A slice of a chat. The component renders again only when the selected value changes. */
export function useChatSelector<Value>(selector: (snapshot: ChatSnapshot) => Value, options: ChatSelectorOptions<Value> = {}): Value {
  const nearest = useContext(ChatContext)
  const chat = options.chat ?? nearest
  if (chat === null) throw new Error('There is no chat to select from: pass `chat`, or use the hook inside <Chat> or a ChatContext.')
  const isEqual = options.isEqual ?? Object.is
  const [memo] = useState<{ last?: { readonly value: Value } }>(() => ({}))

  function select(from: Chat): Value {
    const value = selector(from.getSnapshot())
    // The old object is given back for an equal new one, so that React sees no change.
    if (memo.last !== undefined && isEqual(memo.last.value, value)) return memo.last.value
    memo.last = { value }
    return value
  }

  const getSelection = (): Value => select(chat)
  return useSyncExternalStore(chat.subscribe, getSelection, getSelection)
}
