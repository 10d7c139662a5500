import type { ReactNode } from 'react'
import type { Message } from '../../state/conversation/message.ts'

/**
 * Adds controls of your own to the actions of a message, behind those of the kit. Asked for what the user sent and for
 * answers that have ended, more than once; `message.role` and `message.status` tell them apart. Return nothing to add
 * nothing. Keep the function stable: messages re-render when it changes. State belongs into a component that it returns.
 */
export type RenderMessageActions = (message: Message) => ReactNode
