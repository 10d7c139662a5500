'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, memo } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import type { Message as MessageValue } from '../../state/message.ts'
import { textOf } from '../../state/message.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { ErrorBoundary } from '../error-boundary/error-boundary.tsx'
import { messageById } from '../internals/message-by-id.ts'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'
import { AssistantMessage } from './assistant-message.tsx'
import { isLive } from './live-status.ts'
import type { RenderPart } from './render-part.ts'
import { UserMessage } from './user-message.tsx'

export interface MessageProps extends Omit<ComponentPropsWithoutRef<'article'>, 'children'> {
  /** The `id` of a message of the chat around. A message that is gone renders nothing. */
  readonly messageId: string
  /** Shows parts of it in your own way. Keep the function stable. */
  readonly renderPart?: RenderPart | undefined
  /** Puts the message on an element of your own: spread the props, read `state.message`. */
  readonly render?: RenderRoot<{ readonly message: MessageValue }> | undefined
}

/**
 * One message, subscribed to itself alone: a token that arrives in one message renders no other.
 * `data-role` and `data-status` carry its state; an answer under way is `aria-busy`.
 */
export const Message = memo(forwardRef<HTMLElement, MessageProps>(function Message({ messageId, renderPart, render, className, ...rest }, ref): ReactNode {
  const words = useDictionary().message
  const message = useChatSelector((snapshot) => messageById(snapshot.messages, messageId))
  if (!message) return null
  const label = { user: words.you, assistant: words.assistant, system: words.system }[message.role]
  return (
    <Root
      tag="article"
      render={render}
      root={{
        'aria-label': label,
        'aria-busy': isLive(message.status) ? true : undefined,
        ...rest,
        className: classNames('cs-part cs-message', className),
        'data-role': message.role,
        'data-status': message.status,
        children: (
          <ErrorBoundary resetKeys={[message.status, message.restarted]}>
            <Inside message={message} renderPart={renderPart} />
          </ErrorBoundary>
        ),
      }}
      state={{ message }}
      rootRef={ref}
    />
  )
}))

function Inside({ message, renderPart }: { readonly message: MessageValue; readonly renderPart: RenderPart | undefined }): ReactNode {
  switch (message.role) {
    case 'user':
      return <UserMessage message={message} renderPart={renderPart} />
    case 'assistant':
      return <AssistantMessage message={message} renderPart={renderPart} />
    case 'system':
      return (
        <p className="cs-rule cs-text" dir="auto">
          {capMarks(textOf(message))}
        </p>
      )
  }
}
