'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, memo } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import type { TaskStatus } from '../seam/agent-event.ts'
import type { AttributesOf, PartAttributes } from './internals/attributes/part-attributes.ts'
import type { IconName } from './internals/icon.tsx'
import { Icon } from './internals/icon.tsx'
import type { RenderRoot } from './internals/part.ts'
import { classNames, Root } from './internals/part.ts'
import { useTaskStrings } from './dictionary/task-strings-context.tsx'

/** The `data-*` attributes of `TaskStatusBadge`. */
export const taskStatusAttributes = {
  root: {
    selector: '.cs-task-status',
    attributes: {
      'data-status': {
        values: [
          'submitted',
          'working',
          'input-required',
          'auth-required',
          'completed',
          'canceled',
          'failed',
          'rejected',
          'unknown',
          'unfinished',
        ],
        meaning: 'The state of the task; `unfinished` when nothing more comes of one that had not ended',
      },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof taskStatusAttributes>

export interface TaskStatusBadgeProps extends Omit<ComponentPropsWithoutRef<'span'>, 'children'> {
  /** The state of the task. */
  readonly status: TaskStatus
  /** Names a state that is not known in the agent's own word: shown with `unknown` alone. Absent: "Unknown state". */
  readonly word?: string | undefined
  /** False when nothing more comes: a task that had not ended is then shown as not finished. @default true */
  readonly live?: boolean | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly status: TaskStatus | 'unfinished' }> | undefined
}

const ICONS: Readonly<Record<TaskStatus | 'unfinished', IconName | undefined>> = {
  submitted: 'pending',
  working: 'spin',
  'input-required': 'edit',
  'auth-required': 'lock',
  completed: 'check',
  canceled: 'stop',
  failed: 'fatal',
  rejected: undefined,
  unknown: 'info',
  unfinished: 'pending',
}

/** A ring with a bar across, for what the agent does not do. */
const BARRED = <path d="M3.25 10a6.75 6.75 0 0 1 13.5 0 6.75 6.75 0 0 1-13.5 0M5.25 5.25l9.5 9.5" />

/** The state as it is shown: of a task that is over without having ended, that it did not finish. */
export function shownStatus(status: TaskStatus, live: boolean): TaskStatus | 'unfinished' {
  return !live && (status === 'submitted' || status === 'working' || status.endsWith('-required'))
    ? 'unfinished'
    : status
}

/**
 * Renders a `<span>`: the state of a task as a glyph and a word, never a colour alone.
 *
 * @example
 * ```tsx
 * import { TaskStatusBadge } from 'capstan/components'
 *
 * export function Waiting() {
 *   return <TaskStatusBadge status="input-required" />
 * }
 * ```
 */
export const TaskStatusBadge = memo(
  forwardRef<HTMLSpanElement, TaskStatusBadgeProps>(function TaskStatusBadge(
    { status, word, live = true, render, className, ...rest },
    ref,
  ): ReactNode {
    const strings = useTaskStrings()
    if (strings === undefined) return null
    const shown = shownStatus(status, live)
    const children = (
      <>
        <Icon name={ICONS[shown]} className={shown === 'working' ? 'cs-spin' : undefined}>
          {BARRED}
        </Icon>
        <bdi>{shown === 'unknown' && word ? capMarks(word) : strings.status[shown]}</bdi>
      </>
    )
    return (
      <Root
        tag="span"
        render={render}
        root={{
          ...rest,
          className: classNames('cs-part cs-task-status', className),
          'data-status': shown satisfies Attributes['data-status'],
          children,
        }}
        state={{ status: shown }}
        rootRef={ref}
      />
    )
  }),
)
