'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef } from 'react'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { ClockTime } from './internals/live-time.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'

/** The `data-*` attributes of `HealthBadge`. */
export const healthBadgeAttributes = {
  root: {
    selector: '.cs-pill',
    attributes: {
      'data-state': { values: ['ok', 'degraded', 'maintenance', 'unknown'], meaning: 'The health of the agent' },
      'data-stale': { values: 'present', meaning: 'While the answer is too old to rely on' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof healthBadgeAttributes>

/** The health that an agent reports. `unknown`: none, or a value that CAP does not define. */
export type HealthStatus = 'ok' | 'degraded' | 'maintenance' | 'unknown'

export interface HealthBadgeProps extends Omit<ComponentPropsWithoutRef<'span'>, 'children'> {
  /** What `GET /health` answered, or `unknown`. A status that CAP does not know is shown as unknown too. */
  readonly status: HealthStatus
  /** When it was asked, in epoch milliseconds: shown as a time of day. Absent: no time. */
  readonly checkedAt?: number | undefined
  /** The answer is too old to rely on: shown as "Last checked" with the time, and no longer in colour. @default false */
  readonly stale?: boolean | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly state: HealthStatus }> | undefined
}

const KNOWN: ReadonlySet<string> = new Set<HealthStatus>(['ok', 'degraded', 'maintenance'])

/**
 * Renders a `<span>`: the health of an agent as one pill, a shape and a label, never a colour alone. It shows what it is
 * given and asks nobody.
 *
 * @example
 * ```tsx
 * import { HealthBadge } from 'capstan/components'
 * import { useCapHealth } from 'capstan/query'
 *
 * export function Health() {
 *   const { status, checkedAt, stale } = useCapHealth()
 *   return <HealthBadge status={status} checkedAt={checkedAt} stale={stale} />
 * }
 * ```
 */
export const HealthBadge = forwardRef<HTMLSpanElement, HealthBadgeProps>(function HealthBadge(
  { status, checkedAt, stale, render, className, ...rest },
  ref,
): ReactNode {
  const strings = useDictionary().health
  const state: HealthStatus = KNOWN.has(status) ? status : 'unknown'
  const children = (
    <>
      <span>{strings[state]}</span>
      {stale && <span className="cs-meta">{strings.stale}</span>}
      {checkedAt !== undefined && <ClockTime at={checkedAt} />}
    </>
  )
  return (
    <Root
      tag="span"
      render={render}
      root={{
        ...rest,
        className: classNames('cs-part cs-pill', className),
        'data-state': state satisfies Attributes['data-state'],
        'data-stale': (stale ? '' : undefined) satisfies Attributes['data-stale'],
        children,
      }}
      state={{ state }}
      rootRef={ref}
    />
  )
})
