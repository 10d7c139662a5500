import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'

export interface ChatDockProps extends ComponentPropsWithoutRef<'div'> {
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot | undefined
}

/**
 * Renders a `<div>`: the lower edge of a chat, on one axis with its transcript, for errors, composer, and whatever
 * belongs beside them.
 *
 * @example
 * ```tsx
 * import { ChatDock, Composer } from 'capstan/components'
 *
 * export const Dock = () => (
 *   <ChatDock>
 *     <Composer />
 *     <p>Answers may be wrong.</p>
 *   </ChatDock>
 * )
 * ```
 */
export const ChatDock = forwardRef<HTMLDivElement, ChatDockProps>(function ChatDock(
  { render, className, ...rest },
  ref,
): ReactNode {
  return (
    <Root
      tag="div"
      render={render}
      root={{ ...rest, className: classNames('cs-part cs-dock', className) }}
      state={undefined}
      rootRef={ref}
    />
  )
})
