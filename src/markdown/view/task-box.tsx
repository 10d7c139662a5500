import type { ReactNode } from 'react'
import { useContext } from 'react'
import { MarkdownContext } from './markdown-context.ts'

/** Whether a task is done. A picture and no control: the message is the agent's. */
export function TaskBox({ task }: { readonly task: 'open' | 'done' }): ReactNode {
  const { strings } = useContext(MarkdownContext)
  return (
    <svg
      className="cs-md-task"
      viewBox="0 0 20 20"
      width={16}
      height={16}
      fill="none"
      stroke="currentColor"
      role="img"
      aria-label={task === 'done' ? strings.taskDone : strings.taskOpen}
    >
      <path
        d={
          task === 'done'
            ? 'M6 3.5h8A2.5 2.5 0 0 1 16.5 6v8a2.5 2.5 0 0 1-2.5 2.5H6A2.5 2.5 0 0 1 3.5 14V6A2.5 2.5 0 0 1 6 3.5zM6.5 10.25l2.5 2.5 4.75-5.5'
            : 'M6 3.5h8A2.5 2.5 0 0 1 16.5 6v8a2.5 2.5 0 0 1-2.5 2.5H6A2.5 2.5 0 0 1 3.5 14V6A2.5 2.5 0 0 1 6 3.5z'
        }
      />
    </svg>
  )
}
