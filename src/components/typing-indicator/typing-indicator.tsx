'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import type { RenderRoot } from '../part.ts'
import { classNames, renderRoot } from '../part.ts'

export interface TypingIndicatorProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Puts the dots on a root of your own. */
  readonly render?: RenderRoot | undefined
}

/** Three dots in the height of one line of text: nothing has come yet. To screen readers an image with a name. */
export function TypingIndicator({ render, className, ...rest }: TypingIndicatorProps): ReactNode {
  const words = useDictionary()
  const children = (
    <>
      <i className="cs-dot" />
      <i className="cs-dot" />
      <i className="cs-dot" />
    </>
  )
  return renderRoot(
    'div',
    render,
    { role: 'img', 'aria-label': words.message.waiting, ...rest, className: classNames('cs-part cs-dots', className), children },
    undefined,
  )
}
