'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import type { Message } from '../../state/conversation/message.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import { IconButton } from '../internals/icon-button.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'
import type { messageFeedbackAttributes } from './message-feedback-attributes.ts'

type Attributes = AttributesOf<typeof messageFeedbackAttributes>

/** How a reader rates a message. */
export type MessageFeedbackValue = 'up' | 'down'

export interface MessageFeedbackProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children' | 'onChange'> {
  /** The message that is rated; it is handed to `onChange`. */
  readonly message: Message
  /** The rating to show. Absent: the message is not rated. */
  readonly value?: MessageFeedbackValue | undefined
  /** Called with the new rating, or with undefined when the reader takes the rating back by pressing it again. */
  readonly onChange: (value: MessageFeedbackValue | undefined, message: Message) => void
  /**
   * Replaces the root `<div>`; receives the props to spread and the part's state.
   *
   * @default the part's root element
   */
  readonly render?: RenderRoot<{ readonly value: MessageFeedbackValue | undefined }> | undefined
}

/**
 * Renders a `<div>`: a group of two toggle buttons, thumbs up and thumbs down, of which at most one is pressed. It shows
 * the rating it is given and keeps none; put it into the actions of an answer with `messageActions` of `Chat`.
 *
 * @example
 * ```tsx
 * import { useState } from 'react'
 * import type { Message } from 'capstan'
 * import { MessageFeedback, type MessageFeedbackValue } from 'capstan/components'
 *
 * export function Rating({ message }: { message: Message }) {
 *   const [value, setValue] = useState<MessageFeedbackValue>()
 *   return <MessageFeedback message={message} value={value} onChange={setValue} />
 * }
 * ```
 */
export const MessageFeedback = forwardRef<HTMLDivElement, MessageFeedbackProps>(function MessageFeedback(
  { message, value, onChange, render, className, ...rest },
  ref,
): ReactNode {
  const strings = useDictionary().feedback
  const thumb = (of: MessageFeedbackValue): ReactNode => (
    <IconButton
      icon={`thumb-${of}`}
      label={strings[of]}
      aria-pressed={value === of}
      onClick={() => onChange(value === of ? undefined : of, message)}
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
