import type { ComponentPropsWithoutRef, ReactNode, Ref } from 'react'
import type { AttributesOf, PartAttributes } from '../internals/attributes/part-attributes.ts'
import { Icon } from '../internals/icon.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'

/** The `data-*` attributes of `TokenMeter` and `CostMeter`. */
export const usageMeterAttributes = {
  root: {
    selector: '.cs-meter',
    attributes: { 'data-over': { values: 'present', meaning: 'More was taken than the limit' } },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof usageMeterAttributes>

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
export function Meter(props: MeterProps): ReactNode {
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
        <span className="cs-meter-over">
          <Icon name="alert" />
          <span>{overWords}</span>
        </span>
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
