'use client'
import { createContext, useContext } from 'react'
import type { ChatInstance } from '../state/chat.ts'

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
