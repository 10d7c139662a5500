'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import type { RenderRoot } from './internals/part.ts'
import { classNames, Root } from './internals/part.ts'

export interface TypingIndicatorProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Puts the dots on your own root. @default the part's root element */
  readonly render?: RenderRoot | undefined
}

/**
 * Renders a `<div>`: three dots in the height of one line of text, while nothing has come yet. To screen readers an
 * image with a name.
 *
 * @example
 * ```tsx
 * import { TypingIndicator } from 'capstan/components'
 * import { useChatSelector } from 'capstan/react'
 *
 * export const Waiting = () => useChatSelector(({ status }) => status === 'submitted') && <TypingIndicator />
 * ```
 */
export const TypingIndicator = forwardRef<HTMLDivElement, TypingIndicatorProps>(function TypingIndicator(
  { render, className, ...rest },
  ref,
): ReactNode {
  const strings = useDictionary()
  const children = (
    <>
      <i className="cs-dot" />
      <i className="cs-dot" />
      <i className="cs-dot" />
    </>
  )
  return (
    <Root
      tag="div"
      render={render}
      root={{
        role: 'img',
        'aria-label': strings.message.waiting,
        ...rest,
        className: classNames('cs-part cs-dots', className),
        children,
      }}
      state={undefined}
      rootRef={ref}
    />
  )
})
