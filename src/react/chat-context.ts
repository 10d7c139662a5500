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
  const chat = useContext(ChatContext)
  if (chat === null) {
    throw new Error(
      'There is no chat here: this component reads it from <Chat> or <ChatContext.Provider value={chat}>. Put it inside one of them, or pass a chat to it.',
    )
  }
  return chat
}
