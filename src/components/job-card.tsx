'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, memo } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { shownFailure } from '../base/tool-failures.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { ErrorDetails } from './error-details.tsx'
import { type AttributesOf, type PartAttributes, type RenderRoot, classNames, Root } from './internals/part.ts'
import type { IconName } from './internals/icon.tsx'
import { BusyButton } from './internals/busy-button.tsx'
import { StatusMark } from './internals/status-mark.tsx'
import { sameMembers } from '../base/equal-json.ts'
import type { JobState } from '../strings/jobs.ts'
import { useJobStrings } from './dictionary/job-strings-context.tsx'

/** The `data-*` attributes of `JobCard`. */
export const jobCardAttributes = {
  root: {
    selector: '.cs-job',
    attributes: {
      'data-state': {
        values: ['accepted', 'queued', 'running', 'blocked', 'paused', 'completed', 'failed', 'cancelled', 'stale'],
        meaning: 'Where the job is; `stale` when it has given no sign of life for too long',
      },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof jobCardAttributes>

export interface JobCardProps extends Omit<ComponentPropsWithoutRef<'div'>, 'title'> {
  /** What the job is, such as the name of its tool, as plain text. @default "Job", in the language of the page */
  readonly title?: string | undefined
  /** Where it is. */
  readonly state: Exclude<JobState, 'stale'>
  /** Its current activity, as plain text. Absent: not shown. */
  readonly message?: string | undefined
  /** 0 to 100. Absent: `current` of `total`, or no share is known. */
  readonly percent?: number | undefined
  /** How many of `total` are done. Absent: not counted. */
  readonly current?: number | undefined
  /** Absent: not known. */
  readonly total?: number | undefined
  /** Its heartbeat is overdue. @default false */
  readonly stale?: boolean | undefined
  /** Why it failed, as plain text. Absent: not shown. */
  readonly error?: { readonly code: string; readonly message: string } | undefined
  /** Adds "Stop job" while it has not ended; with a promise the button says that it is stopping. Absent: no button. */
  readonly onCancel?: (() => unknown) | undefined
  /** Adds "Interrupt" while it has not ended: the job then asks the user. Absent: no button. */
  readonly onInterrupt?: (() => unknown) | undefined
  /** Adds "Run again" when it failed or was cancelled. Absent: no button. */
  readonly onRetry?: (() => unknown) | undefined
  /** What belongs to the job: its text, its questions, its log. Absent: nothing. */
  readonly children?: ReactNode
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly state: JobState }> | undefined
}

const ICONS: Readonly<Record<JobState, IconName>> = {
  accepted: 'pending',
  queued: 'clock',
  running: 'spin',
  blocked: 'edit',
  paused: 'pending',
  completed: 'check',
  failed: 'fatal',
  cancelled: 'stop',
  stale: 'alert',
}

/**
 * Renders a `<div>`: a job of a runtime with its state, its progress and the ways to stop it. Its words are plain text. What changes in
 * mid-run is not announced by it.
 *
 * @example
 * ```tsx
 * import { useArcpJob } from 'capstan/react'
 * import { JobCard } from 'capstan/components'
 *
 * export function Survey({ id }: { id: string }) {
 *   const { job, cancel } = useArcpJob(id)
 *   return job && <JobCard title={job.tool} state={job.state} percent={job.percent} onCancel={cancel} />
 * }
 * ```
 */
export const JobCard = memo(
  forwardRef<HTMLDivElement, JobCardProps>(function JobCard(props, ref): ReactNode {
    const { title, state, message, percent, current, total, stale = false, error, ...others } = props
    const { onCancel, onInterrupt, onRetry, children, render, className, ...rest } = others
    const { failures } = useDictionary().tool
    const strings = useJobStrings()
    if (strings === undefined) return null
    const isOver = state === 'completed' || state === 'failed' || state === 'cancelled'
    const shown: JobState = stale && !isOver ? 'stale' : state
    const name = capMarks(title ?? strings.job.title)
    const share =
      percent ?? (current !== undefined && total !== undefined && total > 0 ? (current / total) * 100 : undefined)
    const content = (
      <>
        <span className="cs-job-head">
          <b className="cs-strong">
            <bdi>{name}</bdi>
          </b>
          <StatusMark className="cs-job-state" icon={ICONS[shown]}>
            {strings.states[shown]}
          </StatusMark>
        </span>
        {message !== undefined && !isOver && (
          <span className="cs-job-message" dir="auto">
            {capMarks(message)}
          </span>
        )}
        {!isOver && shown !== 'queued' && (
          <span className="cs-job-progress">
            <progress
              aria-label={strings.job.progress}
              max={100}
              {...(share === undefined ? {} : { value: Math.min(100, Math.max(0, share)) })}
            />
            {current !== undefined && total !== undefined && (
              <span className="cs-figures">{strings.job.amount(current, total)}</span>
            )}
          </span>
        )}
        {state === 'failed' && error !== undefined && (
          <div className="cs-job-error">
            <span dir="auto">{capMarks(shownFailure(error.message, failures))}</span>
            <ErrorDetails facts={[strings.job.code(error.code)]} />
          </div>
        )}
        {children && <div className="cs-job-content">{children}</div>}
        {((!isOver && (onCancel || onInterrupt)) || (isOver && state !== 'completed' && onRetry)) && (
          <span className="cs-job-foot">
            {!isOver && onInterrupt && <BusyButton label={strings.job.interrupt} onPress={onInterrupt} />}
            {!isOver && onCancel && (
              <BusyButton label={strings.job.stop} busyLabel={strings.job.stopping} onPress={onCancel} />
            )}
            {isOver && onRetry && <BusyButton label={strings.job.retry} onPress={onRetry} />}
          </span>
        )}
      </>
    )
    return (
      <Root
        tag="div"
        render={render}
        root={{
          role: 'group',
          'aria-label': name,
          ...rest,
          className: classNames('cs-part cs-job', className),
          'data-state': shown satisfies Attributes['data-state'],
          children: content,
        }}
        state={{ state: shown }}
        rootRef={ref}
      />
    )
  }),
  sameMembers,
)
