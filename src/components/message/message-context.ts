'use client'
import type { RefObject } from 'react'
import { createContext, useContext } from 'react'
import type { ChatMessage } from '../../state/turn.ts'

interface ActionsOf {
  readonly message: ChatMessage
  /** The button that opens the editor, which gets the focus back. */
  readonly editRef?: RefObject<HTMLButtonElement | null> | undefined
}

/** The message whose actions are shown. */
export const MessageContext = createContext<ActionsOf | null>(null)

/** The message whose actions are shown, and what they share. */
export function useActionsOf(): ActionsOf {
  const known = useContext(MessageContext)
  if (known === null)
    throw new Error('Actions of a message are rendered by `messageActions` of Chat, MessageList or Message.')
  return known
}

/**
 * The message whose actions are shown, for your own controls in `messageActions`.
 *
 * @throws Error outside of `messageActions`
 * @example
 * ```tsx
 * import { Chat, CopyAction, useMessage } from 'capstan/components'
 *
 * function Pin() {
 *   const { id } = useMessage()
 *   return <button onClick={() => localStorage.setItem('pinned', id)}>Pin</button>
 * }
 * const actions = <><CopyAction /><Pin /></>
 * export const Desk = () => <Chat messageActions={actions} />
 * ```
 */
export function useMessage(): ChatMessage {
  return useActionsOf().message
}
