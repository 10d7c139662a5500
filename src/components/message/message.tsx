'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, memo } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { useChatSelector } from '../../react/use-chat-selector.ts'
import type { ChatMessage } from '../../state/conversation/message.ts'
import { textOf } from '../../state/conversation/message.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { ErrorBoundary } from '../error-boundary/error-boundary.tsx'
import { messageById } from '../internals/message-by-id.ts'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'
import { AssistantMessage } from './assistant-message.tsx'
import { isLiveStatus } from './live-status.ts'
import type { RenderPart } from './render-part.ts'
import type { ToolRenderers } from './tool-renderer.ts'
import { UserMessage } from './user-message.tsx'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { messageAttributes } from './message-attributes.ts'

type Attributes = AttributesOf<typeof messageAttributes>

export interface MessageProps extends Omit<ComponentPropsWithoutRef<'article'>, 'children'> {
  /** The `id` of a message of the chat around. A message that is gone renders nothing. */
  readonly messageId: string
  /** Shows parts of it in your own way. Keep the function stable. @default the part's component */
  readonly renderPart?: RenderPart | undefined
  /**
   * The actions of the message, in place of capstan's own: `CopyAction`, `EditAction`, `RetryAction`, `FeedbackAction` and controls of
   * your own, which read the message with `useMessage`. Null: none. Keep the element stable.
   *
   * @default copy, edit and regenerate
   */
  readonly messageActions?: ReactNode
  /**
   * How calls of tools are shown, by the name of the tool, with `tool` of `capstan/tools`. Keep the object stable.
   *
   * @default `ToolCall`
   */
  readonly tools?: ToolRenderers | undefined
  /**
   * Puts the message on an element of your own: spread the props, read `state.message`.
   *
   * @default the part's root element
   */
  readonly render?: RenderRoot<{ readonly message: ChatMessage }> | undefined
}

/**
 * Renders an `<article>`: one message, subscribed to itself alone, so that a token that arrives in one message renders
 * no other. An answer under way is `aria-busy`.
 *
 * @example
 * ```tsx
 * import { Message } from 'capstan/components'
 * import { useChatSelector } from 'capstan/react'
 *
 * export function LastMessage() {
 *   const id = useChatSelector(({ messages }) => messages.at(-1)?.id)
 *   return id === undefined ? null : <Message messageId={id} />
 * }
 * ```
 */
export const Message = memo(
  forwardRef<HTMLElement, MessageProps>(function Message(
    { messageId, renderPart, messageActions, tools, render, className, ...rest },
    ref,
  ): ReactNode {
    const strings = useDictionary().message
    const message = useChatSelector((snapshot) => messageById(snapshot.messages, messageId))
    if (!message) return null
    const label = { user: strings.you, assistant: strings.assistant, system: strings.system }[message.role]
    return (
      <Root
        tag="article"
        render={render}
        root={{
          'aria-label': label,
          'aria-busy': isLiveStatus(message.status) ? true : undefined,
          ...rest,
          className: classNames('cs-part cs-message', className),
          'data-role': message.role satisfies Attributes['data-role'],
          'data-status': message.status satisfies Attributes['data-status'],
          children: (
            <ErrorBoundary resetKeys={[message.status, message.restarted]}>
              <Inside message={message} renderPart={renderPart} messageActions={messageActions} tools={tools} />
            </ErrorBoundary>
          ),
        }}
        state={{ message }}
        rootRef={ref}
      />
    )
  }),
)

interface InsideProps {
  readonly message: ChatMessage
  readonly renderPart: RenderPart | undefined
  readonly messageActions: ReactNode
  readonly tools: ToolRenderers | undefined
}

function Inside(props: InsideProps): ReactNode {
  const { message } = props
  switch (message.role) {
    case 'user':
      return <UserMessage {...props} />
    case 'assistant':
      return <AssistantMessage {...props} />
    case 'system':
      return (
        <p className="cs-rule cs-text" dir="auto">
          {capMarks(textOf(message))}
        </p>
      )
  }
}
