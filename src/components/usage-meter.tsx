'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, type Ref } from 'react'
import type { Usage } from '../seam/usage.ts'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'
import { useJobStrings } from './dictionary/job-strings-context.tsx'
import { StatusMark } from './internals/status-mark.tsx'
import { useDictionary } from './dictionary/dictionary-context.tsx'

/** The `data-*` attributes of `TokenMeter` and `CostMeter`. */
export const usageMeterAttributes = {
  root: {
    selector: '.cs-meter',
    attributes: { 'data-over': { values: 'present', meaning: 'More was taken than the limit' } },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof usageMeterAttributes>

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

/** An amount of money in a language. A currency that is none is written unchanged. */
function amountOf(value: number, currency: string, lang: string | undefined): string {
  const digits = value !== 0 && Math.abs(value) < SMALL ? { maximumFractionDigits: 4 } : {}
  try {
    return new Intl.NumberFormat(lang, { style: 'currency', currency, ...digits }).format(value)
  } catch {
    return `${new Intl.NumberFormat(lang, { maximumFractionDigits: 4 }).format(value)} ${currency.slice(0, 8)}`
  }
}

interface MeterProps extends ComponentPropsWithoutRef<'div'> {
  readonly label: string
  readonly value: number
  readonly limit: number | undefined
  /** The value in words. */
  readonly words: string
  readonly overWords: string
  readonly render?: RenderRoot<{ readonly isOver: boolean }> | undefined
  readonly rootRef: Ref<HTMLDivElement>
}

/** What was taken of something, in words, and as a bar where there is a limit. */
function Meter(props: MeterProps): ReactNode {
  const { label, value, limit, words, overWords, render, rootRef, className, children, ...rest } = props
  const isOver = limit !== undefined && value > limit
  const content = (
    <>
      <span className="cs-meter-head">
        <span>{label}</span>
        <b className="cs-strong cs-figures">{words}</b>
      </span>
      {limit !== undefined && limit > 0 && (
        <meter aria-label={label} min={0} max={limit} high={limit * 0.9} value={Math.min(value, limit)}>
          {words}
        </meter>
      )}
      {isOver && (
        <StatusMark className="cs-meter-over" icon="alert">
          {overWords}
        </StatusMark>
      )}
      {children && <span className="cs-meter-parts cs-figures">{children}</span>}
    </>
  )
  return (
    <Root
      tag="div"
      render={render}
      root={{
        ...rest,
        className: classNames('cs-part cs-meter', className),
        'data-over': (isOver ? '' : undefined) satisfies Attributes['data-over'],
        children: content,
      }}
      state={{ isOver }}
      rootRef={rootRef}
    />
  )
}
