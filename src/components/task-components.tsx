'use client'
import type { ReactNode } from 'react'
import { useChatContext } from '../react/chat-context.ts'
import { type LinkedTask, taskTree, TaskCard } from './task-card.tsx'
import { useTaskStrings } from './dictionary/task-strings-context.tsx'

export { ArtifactView } from './artifact-view.tsx'

interface TaskRowsProps {
  readonly tasks: readonly LinkedTask[]
  /** Whether more of the answer comes. */
  readonly live: boolean
  /** Whether the chat waits for the user: a task that asks waits although its answer has ended. */
  readonly isAwaited: boolean
  /** Shown while the words of a language are fetched. */
  readonly fallback: ReactNode
}

/** The tasks of an answer, those that belong to another one below it. */
export function TaskRows({ tasks, live, isAwaited, fallback }: TaskRowsProps): ReactNode {
  const chat = useChatContext()
  if (useTaskStrings() === undefined) return fallback
  return taskTree(tasks).map(({ id, title, status, statusText, tasks: own }) => (
    <TaskCard
      key={id}
      compact
      title={title}
      status={status}
      statusText={statusText}
      tasks={own}
      live={live || (isAwaited && status.endsWith('-required'))}
      onCancel={chat.stop}
    />
  ))
}
