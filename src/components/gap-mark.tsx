'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, memo, useState } from 'react'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { Icon } from './internals/icon.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'

/** The `data-*` attributes of `GapMark`. */
export const gapMarkAttributes = {
  root: {
    selector: '.cs-gap',
    attributes: {
      'data-open': { values: 'present', meaning: 'While it shows the numbers' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof gapMarkAttributes>

export interface GapMarkProps extends Omit<ComponentPropsWithoutRef<'button'>, 'children'> {
  /** The last packet number before the gap. */
  readonly after: number
  /** The first packet number behind it. */
  readonly before: number
  /**
   * Replaces the root `<button>`; receives the props to spread and the part's state.
   *
   * @default the part's root element
   */
  readonly render?: RenderRoot<{ readonly count: number; readonly open: boolean }> | undefined
}

/**
 * Renders a `<button>` where packets never came; it opens to their numbers. The text around it is never joined
 * silently.
 *
 * @example
 * ```tsx
 * import { GapMark } from 'capstan/components'
 *
 * export function Text() {
 *   return <p>Rivers <GapMark after={4} before={7} /> meander.</p>
 * }
 * ```
 */
export const GapMark = memo(
  forwardRef<HTMLButtonElement, GapMarkProps>(function GapMark(
    { after, before, render, className, ...rest },
    ref,
  ): ReactNode {
    const strings = useDictionary().gap
    const [open, setOpen] = useState(false)
    const count = Math.max(1, before - after - 1)
    const root = {
      type: 'button',
      ...rest,
      'aria-expanded': open,
      'data-open': (open ? '' : undefined) satisfies Attributes['data-open'],
      className: classNames('cs-part cs-gap', className),
      onClick: (event: React.MouseEvent<HTMLButtonElement>) => {
        setOpen(!open)
        rest.onClick?.(event)
      },
      children: (
        <>
          <Icon name="cut" size={14} />
          <span>
            {open ? `${strings.mark(count)}, ${strings.numbers(after + 1, after + count)}` : strings.mark(count)}
          </span>
        </>
      ),
    } as const
    return <Root tag="button" render={render} root={root} state={{ count, open }} rootRef={ref} />
  }),
)
