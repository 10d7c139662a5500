'use client'

import { type RefObject, createContext, useContext, type ReactNode } from 'react'
import type { ChatMessage, MessagePart } from '../../state/turn.ts'

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

/**
 * Shows a part of a message in your own way, or returns undefined to leave it to capstan; null shows nothing. Asked for
 * every kind of part, more than once. Thoughts and steps that you leave stay together in one fold and one card, behind
 * those you show. Showing a citations part replaces the list of sources; the marks in the text stay. Keep the function
 * stable: parts re-render when it changes. It is a function and no map of components, so that what a part holds can
 * decide as well as its kind: `part.type` narrows the rest.
 */
export type RenderPart = (part: MessagePart, state: { readonly live: boolean }) => ReactNode | undefined

/** A tool call of a message, as a renderer gets it. */
export interface ShownToolCall {
  readonly part: Extract<MessagePart, { readonly type: 'tool-call' }>
  readonly messageId: string
  /** False when the answer has ended: a tool that never came back stays unfinished. */
  readonly live: boolean
  /** The call as a `ToolCall`. */
  readonly fallback: ReactNode
}

/** How the calls of one tool are shown; made by `tool` of `capstan/components`. */
export interface ToolRenderer {
  render(call: ShownToolCall): ReactNode
}

/** How tools are shown, by the name the agent calls them. A tool without one is shown as a `ToolCall`. */
export type ToolRenderers = Readonly<Record<string, ToolRenderer>>
