'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, Fragment, memo, useState } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { type AttributesOf, type PartAttributes, type RenderRoot, classNames, Root } from './internals/part.ts'
import { leftOut, SHOWN_AT_FIRST, ShowMore } from './internals/folding.tsx'
import { useJobStrings } from './dictionary/job-strings-context.tsx'

/** The `data-*` attributes of `SubscriptionViewer`. */
export const subscriptionViewerAttributes = {
  root: {
    selector: '.cs-feed',
    attributes: {
      'data-status': {
        values: ['opening', 'backfilling', 'open', 'closed', 'failed'],
        meaning: 'Where the subscription is; `backfilling` while what had been said before is coming',
      },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof subscriptionViewerAttributes>

/** Where a subscription is. */
export type SubscriptionStatus = NonNullable<Attributes['data-status']>

/** One event of a subscription. */
export interface SubscribedEvent {
  readonly id: string
  /** Its name, such as `job.progress`, as plain text. */
  readonly name: string
  /** What it is about, such as the id of a job, as plain text. Absent: not shown. */
  readonly subject?: string | undefined
  /** What it says, as plain text. Absent: nothing. */
  readonly text?: string | undefined
}

export interface SubscriptionViewerProps extends Omit<ComponentPropsWithoutRef<'section'>, 'children'> {
  /** Where it is. */
  readonly status: SubscriptionStatus
  /** Oldest first. Of very many the last are shown, the others on request. */
  readonly events: readonly SubscribedEvent[]
  /** How many of `events`, from the first, are history. @default 0 */
  readonly backfilled?: number | undefined
  /** How many earlier events are not kept any more. @default 0 */
  readonly dropped?: number | undefined
  /** Why it ended, as plain text. Absent: not shown. */
  readonly reason?: string | undefined
  /** Adds "Unsubscribe" while it has not ended. Absent: no button. */
  readonly onClose?: (() => void) | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly status: SubscriptionStatus }> | undefined
}

/**
 * Renders a `<section>`: the events of a subscription, with a divider between history and new events. Its state is
 * a live region; the events are not announced.
 *
 * @example
 * ```tsx
 * import { SubscriptionViewer } from 'capstan/components'
 *
 * const events = [{ id: '1', name: 'job.progress', subject: 'job_1', text: '40 %' }]
 * export const Observer = () => <SubscriptionViewer status="open" events={events} />
 * ```
 */
export const SubscriptionViewer = memo(
  forwardRef<HTMLElement, SubscriptionViewerProps>(function SubscriptionViewer(props, ref): ReactNode {
    const { status, events, backfilled = 0, dropped = 0, reason, onClose, render, className, ...rest } = props
    const strings = useJobStrings()?.subscription
    const [limit, setLimit] = useState(SHOWN_AT_FIRST)
    if (strings === undefined) return null
    const left = leftOut(events.length, limit)
    const isOver = status === 'closed' || status === 'failed'
    const content = (
      <>
        <span className="cs-feed-head">
          <span role="status">{strings.states[status]}</span>
          {isOver && reason !== undefined && <bdi className="cs-dim">{capMarks(reason)}</bdi>}
          {!isOver && onClose && (
            <button type="button" className="cs-button" data-kind="plain" data-size="small" onClick={onClose}>
              {strings.close}
            </button>
          )}
        </span>
        {dropped > 0 && <p className="cs-dim">{strings.dropped(dropped)}</p>}
        {left > 0 && <ShowMore left={left} onShow={() => setLimit(limit + SHOWN_AT_FIRST)} />}
        {events.length === 0 && status === 'open' && <p className="cs-dim">{strings.empty}</p>}
        {events.length > 0 && (
          <ol className="cs-feed-events">
            {events.slice(left).map(({ id, name, subject, text }, at) => (
              <Fragment key={id}>
                {left + at === backfilled && backfilled > 0 && <li className="cs-feed-divider">{strings.fresh}</li>}
                <li className="cs-feed-event">
                  <bdi className="cs-strong">{`${capMarks(name)} `}</bdi>
                  {subject !== undefined && <bdi className="cs-dim">{`${capMarks(subject)} `}</bdi>}
                  {text !== undefined && <span dir="auto">{capMarks(text)}</span>}
                </li>
              </Fragment>
            ))}
          </ol>
        )}
      </>
    )
    return (
      <Root
        tag="section"
        render={render}
        root={{
          'aria-label': strings.label,
          ...rest,
          className: classNames('cs-part cs-feed', className),
          'data-status': status satisfies Attributes['data-status'],
          children: content,
        }}
        state={{ status }}
        rootRef={ref}
      />
    )
  }),
)
