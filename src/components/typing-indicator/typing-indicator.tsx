'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import { classNames } from '../part.ts'

/** Three dots in the height of one line: nothing has come yet. */
export function TypingIndicator({ className, ...rest }: ComponentPropsWithoutRef<'div'>): ReactNode {
  const words = useDictionary()
  return (
    <div role="img" aria-label={words.message.waiting} {...rest} className={classNames('cs-part cs-dots', className)}>
      <i className="cs-dot" />
      <i className="cs-dot" />
      <i className="cs-dot" />
    </div>
  )
}
