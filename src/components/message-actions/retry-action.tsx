'use client'
import type { ReactNode } from 'react'
import { forwardRef } from 'react'
import { useChatContext, useChatStatus } from '../../react/chat-context.ts'
import type { ChatMessage } from '../../state/message.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { IconButton } from '../internals/icon-button.tsx'
import { keepFocus } from '../internals/keep-focus.ts'
import type { MessageActionProps } from './message-action-props.ts'
import { classNames } from '../internals/part.ts'
import { useActionsOf } from './message-context.ts'

/** Whether it is the last answer: further up, another one would drop what was said since. */
export function useIsLastAnswer({ id, role }: ChatMessage): boolean {
  const isLast = useChatStatus(({ messages }) => messages.at(-1)?.id === id)
  return role === 'assistant' && isLast
}

/**
 * Renders a `<button>`: asks for the last answer again. Nothing, for other messages.
 *
 * @example
 * ```tsx
 * import { Chat, CopyAction, RetryAction } from 'capstan/components'
 *
 * const actions = <><RetryAction /><CopyAction /></>
 * export const Desk = () => <Chat messageActions={actions} />
 * ```
 */
export const RetryAction = forwardRef<HTMLButtonElement, MessageActionProps>(
  function RetryAction(props, ref): ReactNode {
    const { regenerate } = useDictionary().message
    const chat = useChatContext()
    const { message } = useActionsOf()
    return (
      useIsLastAnswer(message) && (
        <IconButton
          {...props}
          className={classNames('cs-part', props.className)}
          ref={ref}
          icon="retry"
          label={regenerate}
          onClick={(event) => {
            keepFocus(event)
            chat.regenerate(message.id).catch(() => {})
          }}
        />
      )
    )
  },
)
