import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { classNames } from '../part.ts'

export type ChatDockProps = ComponentPropsWithoutRef<'div'>

/** The lower edge of a chat, on one axis with its transcript: errors, composer, and whatever belongs beside them. */
export function ChatDock({ className, ...rest }: ChatDockProps): ReactNode {
  return <div {...rest} className={classNames('cs-part cs-dock', className)} />
}
