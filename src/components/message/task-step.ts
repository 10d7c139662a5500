import type { TaskStatus } from '../../seam/agent-event.ts'
import type { MessagePart } from '../../state/conversation/message.ts'
import type { ProgressStep } from '../progress-indicator/progress-indicator.tsx'

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
