'use client'
import type { ReactNode } from 'react'
import { createContext, useContext } from 'react'
import { usePack } from './use-pack.ts'
import { englishTasks } from '../../strings/tasks.ts'
import type { TaskStrings } from '../../strings/tasks.ts'

const TaskStringsContext = createContext<TaskStrings | undefined>(undefined)

export interface TaskStringsProviderProps {
  /** The strings of all tasks, artifacts and agent cards inside. */
  readonly strings: TaskStrings
  /** Components that use these strings. Absent: none. */
  readonly children?: ReactNode
}

/**
 * Renders its children with the words of tasks. Without one, the words are those of the dictionary's language, which are fetched
 * when the first of these components is shown: it renders nothing until they are here. A server that renders another language than
 * English needs the provider.
 *
 * @example
 * ```tsx
 * import { TaskCard, TaskStringsProvider } from 'capstan/components'
 * import { germanPack } from 'capstan/locales'
 *
 * export const Survey = () => (
 *   <TaskStringsProvider strings={germanPack.tasks}>
 *     <TaskCard title="Nordufer vermessen" status="working" />
 *   </TaskStringsProvider>
 * )
 * ```
 */
export function TaskStringsProvider({ strings, children }: TaskStringsProviderProps): ReactNode {
  return <TaskStringsContext.Provider value={strings}>{children}</TaskStringsContext.Provider>
}

/**
 * The words of tasks. Undefined while those of the dictionary's language are fetched, so that no one reads in two languages.
 *
 * @example
 * ```tsx
 * import { useTaskStrings } from 'capstan/components'
 *
 * export function StopWord() {
 *   return <span>{useTaskStrings()?.card.stop}</span>
 * }
 * ```
 */
export function useTaskStrings(): TaskStrings | undefined {
  return usePack('tasks', englishTasks, useContext(TaskStringsContext))
}
