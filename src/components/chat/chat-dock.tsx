import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import type { RenderRoot } from '../part.ts'
import { classNames, renderRoot } from '../part.ts'

export interface ChatDockProps extends ComponentPropsWithoutRef<'div'> {
  /** Puts the content on a root of your own. */
  readonly render?: RenderRoot | undefined
}

/** The lower edge of a chat, on one axis with its transcript: errors, composer, and whatever belongs beside them. */
export function ChatDock({ render, className, ...rest }: ChatDockProps): ReactNode {
  return renderRoot('div', render, { ...rest, className: classNames('cs-part cs-dock', className) }, undefined)
}
