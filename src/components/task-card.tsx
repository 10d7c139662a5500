'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, memo, useState } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import type { TaskStatus } from '../seam/agent-event.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { type AttributesOf, type PartAttributes, type RenderRoot, classNames, Root } from './internals/part.ts'
import { sameMembers } from '../base/equal-json.ts'
import { SHOWN_AT_FIRST, ShowMore } from './internals/folding.tsx'
import { useLiveTime } from './internals/live-time.tsx'
import { useTaskStrings } from './dictionary/task-strings-context.tsx'
import type { TaskStrings } from '../strings/tasks.ts'
import type { IconName } from './internals/icon.tsx'
import { BusyButton } from './internals/busy-button.tsx'
import { StatusGlyph } from './internals/status-mark.tsx'

/** The state of a task, on its card and on its badge. */
const TASK_STATUS_ATTRIBUTE = {
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
} as const

/** The `data-*` attributes of `TaskCard`. */
export const taskCardAttributes = {
  root: {
    selector: '.cs-task',
    attributes: {
      'data-status': TASK_STATUS_ATTRIBUTE,
      'data-compact': { values: 'present', meaning: 'It is one row, as in an answer' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof taskCardAttributes>

export interface TaskCardProps extends Omit<ComponentPropsWithoutRef<'div'>, 'title'> {
  /** What the task is, as plain text. @default "Task", in the language of the page */
  readonly title?: string | undefined
  /** Its state. */
  readonly status: TaskStatus
  /**
   * What it is doing, or why it ended so, as plain text: one sentence, replaced by the next one and gone when the task is completed.
   * Absent: none.
   */
  readonly statusText?: string | undefined
  /** Names a state that is not known in the agent's own word. Absent: "Unknown state". */
  readonly word?: string | undefined
  /** False when nothing more comes: a task that had not ended is then shown as not finished. @default true */
  readonly live?: boolean | undefined
  /** Adds "Stop task" while the task has not ended; with a promise the button says that it is stopping. Absent: no button. */
  readonly onCancel?: (() => unknown) | undefined
  /** Another control at its foot, such as "Run again". Absent: none. */
  readonly action?: ReactNode
  /** The tasks that it is made of. @default [] */
  readonly tasks?: readonly SubTask[] | undefined
  /** One row, as in an answer. @default false */
  readonly compact?: boolean | undefined
  /** What belongs to the task: its artifacts, or the question it asks. Absent: nothing. */
  readonly children?: ReactNode
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly status: TaskStatus | 'unfinished' }> | undefined
}

/**
 * Renders a `<div>`: a task of an agent with its state, what it is doing, its own stop, and the tasks it is made of. What changes in
 * mid-run is not announced by it; `Announcer` tells what matters.
 *
 * @example
 * ```tsx
 * import { useA2ATask } from 'capstan/react'
 * import { TaskCard } from 'capstan/components'
 *
 * export function Survey({ taskId }: { taskId: string }) {
 *   const { status = 'submitted', statusText, isFollowing, cancel } = useA2ATask(taskId)
 *   return <TaskCard title="Survey" status={status} statusText={statusText} live={isFollowing} onCancel={cancel} />
 * }
 * ```
 */
export const TaskCard = memo(
  forwardRef<HTMLDivElement, TaskCardProps>(function TaskCard(props, ref): ReactNode {
    const { title, status, statusText, word, live = true, onCancel, action, ...others } = props
    const { tasks = [], compact, children, render, className, ...rest } = others
    const strings = useTaskStrings()
    const { thought } = useDictionary()
    const shown = shownStatus(status, live)
    const seen = useLiveTime(shown === 'working') ?? 0
    if (strings === undefined) return null
    const isOpen = shown === 'submitted' || shown === 'working' || shown.endsWith('-required') || shown === 'unknown'
    const name = title ?? strings.card.title
    const foot = ((isOpen && live && onCancel) || action) && (
      <span className="cs-task-foot">
        {action}
        {isOpen && live && onCancel && (
          <BusyButton label={strings.card.stop} busyLabel={strings.card.stopping} onPress={onCancel} />
        )}
      </span>
    )
    const content = (
      <>
        <span className="cs-task-head">
          <TaskStatusBadge status={status} word={word} live={live} />
          {/* A figure that changes would be read again and again. */}
          {seen >= 1000 && (
            <bdi className="cs-dim cs-figures" aria-hidden="true">
              {thought.elapsed(seen)}
            </bdi>
          )}
        </span>
        <b className="cs-strong cs-task-title">
          <bdi>{capMarks(name)}</bdi>
        </b>
        {statusText && shown !== 'completed' && (
          <span className="cs-task-text">
            <bdi>{capMarks(statusText)}</bdi>
          </span>
        )}
        {compact && foot}
        {tasks.length > 0 && <SubTaskList tasks={tasks} live={live} strings={strings} />}
        {children && <div className="cs-task-content">{children}</div>}
        {!compact && foot}
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
          className: classNames('cs-part cs-task', className),
          'data-status': shown satisfies Attributes['data-status'],
          'data-compact': (compact ? '' : undefined) satisfies Attributes['data-compact'],
          children: content,
        }}
        state={{ status: shown }}
        rootRef={ref}
      />
    )
  }),
  sameMembers,
)

/** Lists in lists that are shown; what is deeper is shown at this depth. */
const MOST_LEVELS = 4

interface SubTaskListProps {
  readonly tasks: readonly SubTask[]
  readonly live: boolean
  readonly strings: TaskStrings
  readonly level?: number
}

/** The tasks that a task is made of, each with its own. Of very many the first are shown, the others on request. */
function SubTaskList({ tasks, live, strings, level = 1 }: SubTaskListProps): ReactNode {
  const [limit, setLimit] = useState(SHOWN_AT_FIRST)
  const shown = level === MOST_LEVELS ? flat(tasks) : tasks
  return (
    <>
      {/* `list-style: none` removes the list role in Safari; an explicit role keeps it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-redundant-roles */}
      <ul role="list" className="cs-task-parts" aria-label={level === 1 ? strings.card.parts : undefined}>
        {shown.slice(0, limit).map(({ id, title, status, statusText, tasks: own = [] }) => (
          <li key={id} className="cs-task-part">
            <span className="cs-task-part-row">
              <TaskStatusBadge status={status} live={live} />
              <span>
                <bdi>{capMarks(title ?? strings.card.title)}</bdi>
                {statusText && status !== 'completed' && (
                  <bdi className="cs-task-text">{` ${capMarks(statusText)}`}</bdi>
                )}
              </span>
            </span>
            {own.length > 0 && level < MOST_LEVELS && (
              <SubTaskList tasks={own} live={live} strings={strings} level={level + 1} />
            )}
          </li>
        ))}
      </ul>
      {shown.length > limit && <ShowMore left={shown.length - limit} onShow={() => setLimit(limit + SHOWN_AT_FIRST)} />}
    </>
  )
}

function flat(tasks: readonly SubTask[]): readonly SubTask[] {
  return tasks.flatMap((task) => [task, ...flat(task.tasks ?? [])])
}

/** A task that another one is made of. */
export interface SubTask {
  readonly id: string
  readonly title?: string | undefined
  readonly status: TaskStatus
  /** What it is doing, or why it failed, as plain text. */
  readonly statusText?: string | undefined
  /** The tasks that it is made of. Absent: none. */
  readonly tasks?: readonly SubTask[] | undefined
}

/** A task that names the one it belongs to. */
export interface LinkedTask {
  readonly id: string
  readonly title?: string | undefined
  readonly status: TaskStatus
  readonly detail?: string | undefined
  readonly parentId?: string | undefined
}

/** Tasks below the one they belong to, in their order. One that belongs to none of them, or to itself in the end, is at the top. */
export function taskTree(tasks: readonly LinkedTask[]): readonly SubTask[] {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const children = new Map<string | undefined, LinkedTask[]>()
  for (const task of tasks) {
    const parent = isInCircle(task, byId) || !byId.has(task.parentId ?? '') ? undefined : task.parentId
    children.set(parent, [...(children.get(parent) ?? []), task])
  }
  const below = (id: string | undefined): readonly SubTask[] | undefined =>
    children.get(id)?.map((task) => ({
      id: task.id,
      title: task.title,
      status: task.status,
      statusText: task.detail,
      tasks: below(task.id),
    }))
  return below(undefined) ?? []
}

function isInCircle(task: LinkedTask, byId: ReadonlyMap<string, LinkedTask>): boolean {
  const seen = new Set<string>()
  for (let at: LinkedTask | undefined = task; at !== undefined && !seen.has(at.id); at = byId.get(at.parentId ?? '')) {
    if (at !== task && at.id === task.id) return true
    seen.add(at.id)
    if (at.parentId === task.id) return true
  }
  return false
}

/** The `data-*` attributes of `TaskStatusBadge`. */
export const taskStatusAttributes = {
  root: {
    selector: '.cs-task-status',
    attributes: {
      'data-status': TASK_STATUS_ATTRIBUTE,
    },
  },
} as const satisfies PartAttributes

type StatusAttributes = AttributesOf<typeof taskStatusAttributes>

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

/** The displayed state: "unfinished" for a task whose run ended first. */
function shownStatus(status: TaskStatus, live: boolean): TaskStatus | 'unfinished' {
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
        <StatusGlyph name={ICONS[shown]}>{BARRED}</StatusGlyph>
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
          'data-status': shown satisfies StatusAttributes['data-status'],
          children,
        }}
        state={{ status: shown }}
        rootRef={ref}
      />
    )
  }),
)
