'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import type { Usage } from '../../seam/usage.ts'
import type { RenderRoot } from '../internals/part.ts'
import { useJobStrings } from '../dictionary/job-strings-context.tsx'
import { Meter } from './meter.tsx'

export interface TokenMeterProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** What was taken, as any protocol tells it. */
  readonly usage: Usage
  /** Tokens that may be taken. Absent: there is no limit, and no bar. */
  readonly limit?: number | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly isOver: boolean }> | undefined
}

/**
 * Renders a `<div>`: the tokens that were taken, in and out, with a bar where there is a limit. Nothing where none were counted.
 *
 * @example
 * ```tsx
 * import { TokenMeter } from 'capstan/components'
 *
 * const usage = { inputTokens: 1200, outputTokens: 300 }
 *
 * export const Taken = () => <TokenMeter usage={usage} limit={4000} />
 * ```
 */
export const TokenMeter = forwardRef<HTMLDivElement, TokenMeterProps>(function TokenMeter(
  { usage: { inputTokens, outputTokens, totalTokens }, limit, ...rest },
  ref,
): ReactNode {
  const strings = useJobStrings()?.usage
  const hasParts = inputTokens !== undefined || outputTokens !== undefined
  const total = totalTokens ?? (hasParts ? (inputTokens ?? 0) + (outputTokens ?? 0) : undefined)
  if (strings === undefined || total === undefined) return null
  const { number } = strings
  return (
    <Meter
      {...rest}
      label={strings.tokens}
      value={total}
      limit={limit}
      words={limit === undefined ? strings.total(total) : strings.ofLimit(number(total), number(limit))}
      overWords={strings.over}
      rootRef={ref}
    >
      {inputTokens !== undefined && <span>{strings.input(inputTokens)}</span>}
      {outputTokens !== undefined && <span>{strings.output(outputTokens)}</span>}
    </Meter>
  )
})
