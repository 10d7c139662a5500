'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, memo, useState } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { Icon } from '../internals/icon.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'

export interface GapMarkProps extends Omit<ComponentPropsWithoutRef<'button'>, 'children'> {
  /** The last packet number before the gap. */
  readonly after: number
  /** The first packet number behind it. */
  readonly before: number
  /** Replaces the root `<button>`; receives the props to spread and the part's state. */
  readonly render?: RenderRoot<{ readonly count: number; readonly open: boolean }> | undefined
}

/** Marks the place where packets never came; opens to their numbers. The text around it is never joined silently. `data-open`. */
export const GapMark = memo(forwardRef<HTMLButtonElement, GapMarkProps>(function GapMark({ after, before, render, className, ...rest }, ref): ReactNode {
  const words = useDictionary().gap
  const [open, setOpen] = useState(false)
  const count = Math.max(1, before - after - 1)
  const root = {
    type: 'button',
    ...rest,
    'aria-expanded': open,
    'data-open': open ? '' : undefined,
    className: classNames('cs-part cs-gap', className),
    onClick: (event: React.MouseEvent<HTMLButtonElement>) => {
      setOpen(!open)
      rest.onClick?.(event)
    },
    children: (
      <>
        <Icon name="cut" size={14} />
        {words.mark(count)}
        {open && `, ${words.numbers(after + 1, after + count)}`}
      </>
    ),
  } as const
  return <Root tag="button" render={render} root={root} state={{ count, open }} rootRef={ref} />
}))
