'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import { classNames } from '../part.ts'

export type TypingIndicatorProps = Omit<ComponentPropsWithoutRef<'div'>, 'children'>

/** Three dots in the height of one line of text: nothing has come yet. To screen readers an image with a name. */
export function TypingIndicator({ className, ...rest }: TypingIndicatorProps): ReactNode {
  const words = useDictionary()
  return (
    <div role="img" aria-label={words.message.waiting} {...rest} className={classNames('cs-part cs-dots', className)}>
      <i className="cs-dot" />
      <i className="cs-dot" />
      <i className="cs-dot" />
    </div>
  )
}
