import type { ReactNode } from 'react'
import { useState } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { SHOWN_AT_FIRST, ShowMore } from '../internals/show-more.tsx'
import type { TaskStrings } from '../../strings/tasks.ts'
import { TaskStatusBadge } from '../task-status/task-status-badge.tsx'
import type { SubTask } from './sub-task.ts'

/** Lists in lists that are shown; what is deeper is shown at this depth. */
const MOST_LEVELS = 4

interface SubTaskListProps {
  readonly tasks: readonly SubTask[]
  readonly live: boolean
  readonly strings: TaskStrings
  readonly level?: number
}

/** The tasks that a task is made of, each with its own. Of very many the first are shown, the others on request. */
export function SubTaskList({ tasks, live, strings, level = 1 }: SubTaskListProps): ReactNode {
  const [limit, setLimit] = useState(SHOWN_AT_FIRST)
  const shown = level === MOST_LEVELS ? flat(tasks) : tasks
  return (
    <>
      {/* `list-style: none` takes the list role away in Safari; saying it keeps it. */}
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
