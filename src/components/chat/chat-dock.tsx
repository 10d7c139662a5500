import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'

export interface ChatDockProps extends ComponentPropsWithoutRef<'div'> {
  /** Replaces the root element; receives the props to spread and the part's state. */
  readonly render?: RenderRoot | undefined
}

/** The lower edge of a chat, on one axis with its transcript: errors, composer, and whatever belongs beside them. */
export const ChatDock = forwardRef<HTMLDivElement, ChatDockProps>(function ChatDock({ render, className, ...rest }, ref): ReactNode {
  return <Root tag="div" render={render} root={{ ...rest, className: classNames('cs-part cs-dock', className) }} state={undefined} rootRef={ref} />
})
