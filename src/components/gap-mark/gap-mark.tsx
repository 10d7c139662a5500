'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useState } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import { classNames } from '../part.ts'

export interface GapMarkProps extends Omit<ComponentPropsWithoutRef<'button'>, 'children'> {
  /** The last packet number before the gap. */
  readonly after: number
  /** The first packet number behind it. */
  readonly before: number
}

/** Marks the place where packets never came; opens to their numbers. The text around it is never joined silently. */
export function GapMark({ after, before, className, onClick, ...rest }: GapMarkProps): ReactNode {
  const words = useDictionary().gap
  const [open, setOpen] = useState(false)
  const count = Math.max(1, before - after - 1)
  return (
    <button
      type="button"
      aria-expanded={open}
      {...rest}
      onClick={(event) => {
        setOpen(!open)
        onClick?.(event)
      }}
      className={classNames('cs-gap', className)}
    >
      <Icon name="cut" size={14} />
      {words.mark(count)}
      {open && `, ${words.numbers(after + 1, after + count)}`}
    </button>
  )
}
