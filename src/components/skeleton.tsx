'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef } from 'react'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'
import { useLongerThan } from './internals/live-time.tsx'

/** The `data-*` attributes of `Skeleton`. */
export const skeletonAttributes = {
  root: {
    selector: '.cs-skeleton',
    attributes: {
      'data-shown': { values: 'present', meaning: 'After 300 ms' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof skeletonAttributes>

export interface SkeletonProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** How many questions with their answers to stand in for. @default 1 */
  readonly turns?: number | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly shown: boolean }> | undefined
}

/** Shorter waits stay unseen, in milliseconds. */
const UNSEEN_MS = 300

/**
 * Renders a `<div>` in place of a conversation that is being loaded, in the heights of its text: still, and only
 * after 300 ms. Screen readers read one sentence.
 *
 * @example
 * ```tsx
 * import { Skeleton } from 'capstan/components'
 *
 * export function Loading() {
 *   return <Skeleton turns={3} />
 * }
 * ```
 */
export const Skeleton = forwardRef<HTMLDivElement, SkeletonProps>(function Skeleton(
  { turns = 1, render, className, ...rest },
  ref,
): ReactNode {
  const strings = useDictionary().chat
  const shown = useLongerThan(true, UNSEEN_MS)
  const children = shown && (
    <>
      <span className="cs-hidden">{strings.loading}</span>
      {Array.from({ length: turns }, (_, turn) => (
        <div key={turn} className="cs-skeleton-turn" aria-hidden="true">
          <i className="cs-bone" />
          <i className="cs-bone" />
          <i className="cs-bone" />
          <i className="cs-bone" />
        </div>
      ))}
    </>
  )
  return (
    <Root
      tag="div"
      render={render}
      root={{
        role: 'status',
        ...rest,
        className: classNames('cs-part cs-skeleton', className),
        'data-shown': (shown ? '' : undefined) satisfies Attributes['data-shown'],
        children,
      }}
      state={{ shown }}
      rootRef={ref}
    />
  )
})
