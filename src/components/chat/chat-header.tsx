'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import { ConnectionStatus } from '../connection-status.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'

export interface ChatHeaderProps extends Omit<ComponentPropsWithoutRef<'header'>, 'title'> {
  /** Names the conversation. Absent: none. */
  readonly title?: ReactNode
  /** Controls at its end. Absent: none. */
  readonly children?: ReactNode
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot | undefined
}

/**
 * Renders a `<header>`: the title of a chat and the state of its connection.
 *
 * @example
 * ```tsx
 * import { Chat, ChatHeader } from 'capstan/components'
 *
 * export function Desk() {
 *   return <Chat header={<ChatHeader title="River desk"><button>Share</button></ChatHeader>} />
 * }
 * ```
 */
export const ChatHeader = forwardRef<HTMLElement, ChatHeaderProps>(function ChatHeader(
  { title, children, render, className, ...rest },
  ref,
): ReactNode {
  const content = (
    <>
      <h2 className="cs-header-title cs-clip">
        <bdi>{title}</bdi>
      </h2>
      <span className="cs-grow" />
      <ConnectionStatus bare />
      {children}
    </>
  )
  return (
    <Root
      tag="header"
      render={render}
      root={{ ...rest, className: classNames('cs-part cs-header', className), children: content }}
      state={undefined}
      rootRef={ref}
    />
  )
})
