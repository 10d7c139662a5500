'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import { ConnectionStatus } from '../connection-status/connection-status.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'

export interface ChatHeaderProps extends Omit<ComponentPropsWithoutRef<'header'>, 'title'> {
  /** Names the conversation. */
  readonly title?: ReactNode
  /** Controls at its end. */
  readonly children?: ReactNode
  /** Replaces the root element; receives the props to spread and the part's state. */
  readonly render?: RenderRoot | undefined
}

/** The bar above a transcript: its title and how the line stands. */
export const ChatHeader = forwardRef<HTMLElement, ChatHeaderProps>(function ChatHeader({ title, children, render, className, ...rest }, ref): ReactNode {
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
  return <Root tag="header" render={render} root={{ ...rest, className: classNames('cs-part cs-header', className), children: content }} state={undefined} rootRef={ref} />
})
