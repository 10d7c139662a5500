'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, useState } from 'react'
import { useChatContext } from '../react/chat-context.ts'
import type { ChatInstance } from '../state/chat.ts'
import type { ChatMessage } from '../state/turn.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { type AttributesOf, type PartAttributes, type RenderRoot, classNames, Root } from './internals/part.ts'
import { IconButton } from './internals/buttons.tsx'
import { useActionsOf } from './message/message-context.ts'

/** The `data-*` attributes of `FeedbackAction`. */
export const feedbackActionAttributes = {
  root: {
    selector: '.cs-feedback',
    attributes: {
      'data-value': { values: ['up', 'down'], meaning: 'How the message is rated; absent while it is not' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof feedbackActionAttributes>

/** How a reader rates an answer. */
export type FeedbackValue = 'up' | 'down'

export interface FeedbackActionProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Called with the new rating, or with undefined when the reader takes the rating back by pressing it again. */
  readonly onFeedback: (value: FeedbackValue | undefined, message: ChatMessage) => void
  /** The rating of a message, from where you keep ratings. @default what was pressed, as long as the chat is in memory */
  readonly ratingOf?: ((message: ChatMessage) => FeedbackValue | undefined) | undefined
  /**
   * Replaces the root `<div>`; receives the props to spread and the part's state.
   *
   * @default the part's root element
   */
  readonly render?: RenderRoot<{ readonly value: FeedbackValue | undefined }> | undefined
}

/** What was pressed, by the id of the message: a message of a long thread leaves the document. */
const pressed = new WeakMap<ChatInstance, Map<string, FeedbackValue | undefined>>()

/**
 * Renders a `<div>`: a group of two toggle buttons, thumbs up and thumbs down, of which at most one is pressed. Nothing, for
 * messages that are not answers. It belongs into `messageActions`.
 *
 * @example
 * ```tsx
 * import { Chat, CopyAction, FeedbackAction, RetryAction } from 'capstan/components'
 *
 * const rate = (value: string | undefined, { requestId }: { requestId?: string | undefined }) =>
 *   void fetch('/api/ratings', { method: 'POST', body: JSON.stringify({ requestId, value }) })
 * const actions = <><CopyAction /><RetryAction /><FeedbackAction onFeedback={rate} /></>
 * export const Desk = () => <Chat messageActions={actions} />
 * ```
 */
export const FeedbackAction = forwardRef<HTMLDivElement, FeedbackActionProps>(function FeedbackAction(
  { onFeedback, ratingOf, render, className, ...rest },
  ref,
): ReactNode {
  const strings = useDictionary().feedback
  const chat = useChatContext()
  const { message } = useActionsOf()
  const [, renderAgain] = useState({})
  if (message.role !== 'assistant') return null
  const value = ratingOf ? ratingOf(message) : pressed.get(chat)?.get(message.id)
  const rate = (next: FeedbackValue | undefined): void => {
    const known = pressed.get(chat) ?? new Map<string, FeedbackValue | undefined>()
    pressed.set(chat, known.set(message.id, next))
    renderAgain({})
    onFeedback(next, message)
  }
  const thumb = (of: FeedbackValue): ReactNode => (
    <IconButton
      icon={`thumb-${of}`}
      label={strings[of]}
      aria-pressed={value === of}
      onClick={() => rate(value === of ? undefined : of)}
    />
  )
  const root = {
    role: 'group',
    'aria-label': strings.label,
    ...rest,
    'data-value': value satisfies Attributes['data-value'],
    className: classNames('cs-part cs-feedback', className),
    children: (
      <>
        {thumb('up')}
        {thumb('down')}
      </>
    ),
  } as const
  return <Root tag="div" render={render} root={root} state={{ value }} rootRef={ref} />
})
