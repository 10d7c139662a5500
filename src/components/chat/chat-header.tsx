'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { ConnectionStatus } from '../connection-status/connection-status.tsx'
import { classNames } from '../part.ts'

export interface ChatHeaderProps extends Omit<ComponentPropsWithoutRef<'header'>, 'title'> {
  readonly title?: ReactNode
  /** Controls at its end. */
  readonly children?: ReactNode
}

/** The bar above a transcript: its title and how the line stands. */
export function ChatHeader({ title, children, className, ...rest }: ChatHeaderProps): ReactNode {
  return (
    <header {...rest} className={classNames('cs-part cs-header', className)}>
      <h2 className="cs-header-title cs-clip">{title}</h2>
      <span className="cs-grow" />
      <ConnectionStatus bare />
      {children}
    </header>
  )
}
