import type { ReactNode } from 'react'
import { useChatSelector } from '../../react/use-chat-selector.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { useOnDemand } from '../on-demand/on-demand.ts'
import type { ProgressStep } from '../progress-indicator/progress-indicator.tsx'
import { ProgressIndicator } from '../progress-indicator/progress-indicator.tsx'
import { taskComponents } from '../task-area/lazy-tasks.ts'
import type { PartGroup } from './group-parts.ts'
import { stepOfTask } from './task-step.ts'

interface MessageTasksProps {
  readonly tasks: Extract<PartGroup, { readonly type: 'tasks' }>['parts']
  readonly live: boolean
}

/** The tasks of an answer: as steps until the code of their cards is here, or where it cannot be had. */
export function MessageTasks({ tasks, live }: MessageTasksProps): ReactNode {
  const { progress } = useDictionary()
  // The answer to some prompts goes out with the next run: the task waits although its message has ended.
  const isAwaited = useChatSelector(({ status }) => status === 'awaiting-input')
  const code = useOnDemand(taskComponents, true)
  const toStep = (part: MessageTasksProps['tasks'][number]): ProgressStep => {
    const step = stepOfTask(part, progress.task)
    // The user has answered, or the run has ended without an answer.
    return step.status === 'waiting' && !isAwaited ? { ...step, status: 'pending' } : step
  }
  const steps = <ProgressIndicator steps={tasks.map(toStep)} live={live} />
  return code ? <code.TaskRows tasks={tasks} live={live} isAwaited={isAwaited} fallback={steps} /> : steps
}
