import type { ReactNode } from 'react'
import { useChatStatus } from '../../react/chat-context.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { useOnDemand } from '../on-demand.ts'
import { type ProgressStep, ProgressIndicator } from '../progress-indicator.tsx'
import { taskComponents } from '../lazy-tasks.ts'
import type { PartGroup } from './group-parts.ts'
import type { TaskStatus } from '../../seam/agent-event.ts'
import type { MessagePart } from '../../state/message.ts'

type TaskPart = Extract<MessagePart, { readonly type: 'task' }>

const STATUSES: Readonly<Record<TaskStatus, ProgressStep['status']>> = {
  submitted: 'pending',
  working: 'running',
  'input-required': 'waiting',
  'auth-required': 'waiting',
  completed: 'complete',
  canceled: 'cancelled',
  failed: 'failed',
  rejected: 'rejected',
  unknown: 'unknown',
}

/** The step of each task part, so that a row whose part has not changed does not render again. */
const steps = new WeakMap<TaskPart, ProgressStep>()

/** A task as a row of `ProgressIndicator`. `untitled` is its name when the agent gives none. */
export function stepOfTask(part: TaskPart, untitled: string): ProgressStep {
  const { id, title, status, detail } = part
  const label = title ?? untitled
  const known = steps.get(part)
  if (known?.label === label) return known
  const step = { id, label, status: STATUSES[status], detail }
  steps.set(part, step)
  return step
}

interface MessageTasksProps {
  readonly tasks: Extract<PartGroup, { readonly type: 'tasks' }>['parts']
  readonly live: boolean
}

/** The tasks of an answer: as steps until the code of their cards is here, or where it cannot be had. */
export function MessageTasks({ tasks, live }: MessageTasksProps): ReactNode {
  const { progress } = useDictionary()
  // The answer to some prompts goes out with the next run: the task waits although its message has ended.
  const isAwaited = useChatStatus(({ status }) => status === 'awaiting-input')
  const code = useOnDemand(taskComponents, true)
  const toStep = (part: MessageTasksProps['tasks'][number]): ProgressStep => {
    const step = stepOfTask(part, progress.task)
    // The user has answered, or the run has ended without an answer.
    return step.status === 'waiting' && !isAwaited ? { ...step, status: 'pending' } : step
  }
  const steps = <ProgressIndicator steps={tasks.map(toStep)} live={live} />
  return code ? <code.TaskRows tasks={tasks} live={live} isAwaited={isAwaited} fallback={steps} /> : steps
}
