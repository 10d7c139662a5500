'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, memo, useState } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import type { ProgressStatus } from '../seam/agent-event.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { type IconName, Icon } from './internals/icon.tsx'
import { StatusGlyph } from './internals/status-mark.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'
import { sameMembers } from '../base/equal-json.ts'
import { SHOWN_AT_FIRST, ShowMore, leftOut } from './internals/folding.tsx'
import { useLiveTime } from './internals/live-time.tsx'

/** The `data-*` attributes of `ProgressIndicator`. */
export const progressIndicatorAttributes = {
  rows: {
    selector: '.cs-step',
    attributes: {
      'data-state': {
        values: [
          'pending',
          'running',
          'waiting',
          'complete',
          'failed',
          'cancelled',
          'rejected',
          'unknown',
          'unfinished',
        ],
        meaning: 'The status of the step; `unfinished` when it had not ended as the answer did',
      },
      'data-moving': { values: 'present', meaning: 'While the step runs' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof progressIndicatorAttributes, 'rows'>

/** One step of an agent's work. */
export interface ProgressStep {
  readonly id: string
  readonly label: string
  /** `waiting`: for the user. `rejected`: the agent refused it. `unknown`: the agent has reported no progress. */
  readonly status: ProgressStatus | 'waiting' | 'cancelled' | 'rejected' | 'unknown'
  /** 0 to 1; absent while running: no share is known. */
  readonly fraction?: number | undefined
  /** Its result, or why it failed. */
  readonly detail?: string | undefined
}

export interface ProgressIndicatorProps extends Omit<ComponentPropsWithoutRef<'ul'>, 'children'> {
  /** A step keeps its row as long as it keeps its id. */
  readonly steps: readonly ProgressStep[]
  /** False when the answer has ended: a step that never finished is then shown as unfinished. @default true */
  readonly live?: boolean | undefined
  /** Puts the rows on your own list. @default the part's root element */
  readonly render?: RenderRoot<{ readonly live: boolean }> | undefined
}

const ICONS: Readonly<Record<ProgressStep['status'] | 'unfinished', IconName>> = {
  pending: 'pending',
  unfinished: 'pending',
  running: 'spin',
  complete: 'check',
  failed: 'alert',
  waiting: 'clock',
  cancelled: 'x',
  rejected: 'alert',
  unknown: 'pending',
}

/** Rows in view; with more steps, those before them share one row. */
const MOST_ROWS = 8

/**
 * Renders a `<ul>`: steps as rows of one height in every state, updated in place, where only the value and the bar of a
 * row change. Beyond eight, earlier steps are folded into one row.
 *
 * @example
 * ```tsx
 * import { ProgressIndicator, type ProgressStep } from 'capstan/components'
 *
 * const steps: ProgressStep[] = [{ id: '1', label: 'Read three notes', status: 'running', fraction: 0.4 }]
 * export const Steps = () => <ProgressIndicator steps={steps} />
 * ```
 */
export const ProgressIndicator = memo(
  forwardRef<HTMLUListElement, ProgressIndicatorProps>(function ProgressIndicator(props, ref): ReactNode {
    const { steps, live = true, render, className, ...rest } = props
    const strings = useDictionary().progress
    const [all, setAll] = useState(false)
    const [limit, setLimit] = useState(SHOWN_AT_FIRST)
    const earlier = steps.slice(0, steps.length > MOST_ROWS + 1 ? -MOST_ROWS : 0)
    const left = all ? leftOut(steps.length, limit) : 0
    const children = (
      <>
        {earlier.length > 0 && (
          <li className="cs-step">
            <details className="cs-step-fold" onToggle={(event) => setAll(event.currentTarget.open)}>
              <summary className="cs-step-earlier">
                <Icon name="chevron" className="cs-chevron" />
                <span>
                  {strings.earlier(earlier.length, earlier.filter(({ status }) => status === 'failed').length)}
                </span>
              </summary>
            </details>
          </li>
        )}
        {left > 0 && (
          <li>
            <ShowMore left={left} onShow={() => setLimit(limit + SHOWN_AT_FIRST)} />
          </li>
        )}
        {steps.slice(all ? left : earlier.length).map((step) => (
          <StepRow key={step.id} step={step} live={live} />
        ))}
      </>
    )
    return (
      <Root
        tag="ul"
        render={render}
        // `list-style: none` removes the list role in Safari; an explicit role keeps it.
        root={{
          role: 'list',
          'aria-label': strings.label,
          ...rest,
          className: classNames('cs-part cs-steps', className),
          children,
        }}
        state={{ live }}
        rootRef={ref}
      />
    )
  }),
  sameMembers,
)

const StepRow = memo(function StepRow({
  step,
  live,
}: {
  readonly step: ProgressStep
  readonly live: boolean
}): ReactNode {
  const dictionary = useDictionary()
  const strings = dictionary.progress
  const { status, label, detail } = step
  const moving = live && status === 'running'
  const state = !live && (status === 'running' || status === 'pending') ? 'unfinished' : status
  const seen = useLiveTime(moving) ?? 0
  // A share outside 0 to 1 is the agent's mistake; the bar stays in its row.
  const share =
    step.fraction === undefined || Number.isNaN(step.fraction) ? undefined : Math.min(1, Math.max(0, step.fraction))
  const value =
    state === 'complete'
      ? detail
      : state === 'running'
        ? share !== undefined && strings.share(share)
        : state !== 'pending' && strings[state]
  return (
    <li
      className="cs-step"
      data-state={state satisfies Attributes['data-state']}
      data-moving={(moving ? '' : undefined) satisfies Attributes['data-moving']}
    >
      <StatusGlyph name={ICONS[state]} />
      <span className="cs-step-label" title={detail}>
        <bdi>{capMarks(label)}</bdi>
        {detail && status !== 'complete' && <bdi className="cs-step-detail">{` ${capMarks(detail)}`}</bdi>}
      </span>
      <span className="cs-step-value">
        {value ? <bdi>{capMarks(value)}</bdi> : <span className="cs-hidden">{strings[state]}</span>}
        {moving && !value && seen >= 1000 && <bdi aria-hidden="true">{dictionary.thought.elapsed(seen)}</bdi>}
      </span>
      {(moving || (share !== undefined && (status === 'running' || status === 'failed'))) && (
        <progress
          className="cs-step-bar"
          max={1}
          value={share}
          aria-label={label}
          aria-valuetext={share === undefined ? undefined : strings.share(share)}
        />
      )}
    </li>
  )
})
