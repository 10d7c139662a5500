'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import type { Usage } from '../../seam/usage.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { useJobStrings } from '../dictionary/job-strings-context.tsx'
import { Meter } from './meter.tsx'

export interface CostMeterProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** What was taken, as any protocol tells it. */
  readonly usage: Usage
  /** What it may cost, in the currency of the usage. Absent: there is no limit, and no bar. */
  readonly limit?: number | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly isOver: boolean }> | undefined
}

/**
 * Renders a `<div>`: what was spent, in its currency, with a bar where there is a limit. Nothing where no cost is known.
 *
 * @example
 * ```tsx
 * import { CostMeter } from 'capstan/components'
 *
 * const usage = { cost: 1.25, currency: 'EUR' }
 *
 * export const Spent = () => <CostMeter usage={usage} limit={5} />
 * ```
 */
export const CostMeter = forwardRef<HTMLDivElement, CostMeterProps>(function CostMeter(
  { usage: { cost, currency = 'USD' }, limit, ...rest },
  ref,
): ReactNode {
  const strings = useJobStrings()?.usage
  const { lang } = useDictionary().language
  if (strings === undefined || cost === undefined) return null
  const amount = (value: number): string => amountOf(value, currency, lang)
  return (
    <Meter
      {...rest}
      label={strings.cost}
      value={cost}
      limit={limit}
      words={limit === undefined ? amount(cost) : strings.ofLimit(amount(cost), amount(limit))}
      overWords={strings.over}
      rootRef={ref}
    />
  )
})

/** Below this, more than two digits after the point are shown: single runs often cost less than a cent. */
const SMALL = 0.1

/** An amount of money in a language. A currency that is none is written as it came. */
function amountOf(value: number, currency: string, lang: string | undefined): string {
  const digits = value !== 0 && Math.abs(value) < SMALL ? { maximumFractionDigits: 4 } : {}
  try {
    return new Intl.NumberFormat(lang, { style: 'currency', currency, ...digits }).format(value)
  } catch {
    return `${new Intl.NumberFormat(lang, { maximumFractionDigits: 4 }).format(value)} ${currency.slice(0, 8)}`
  }
}
