import type { TaskStatus } from '../../seam/agent-event.ts'
import type { TaskStatusInfo } from './messages.ts'

/** The states of A2A 1.0 in neutral words. */
const STATES: Readonly<Record<string, TaskStatus>> = {
  TASK_STATE_UNSPECIFIED: 'unknown',
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_INPUT_REQUIRED: 'input-required',
  TASK_STATE_AUTH_REQUIRED: 'auth-required',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_REJECTED: 'rejected',
}

/** The state of a task; `unknown` for one of a later version. */
export function taskStatusOf({ state }: TaskStatusInfo): TaskStatus {
  return STATES[state] ?? 'unknown'
}

/** Whether the state is one that A2A 1.0 defines. */
export function isKnownState({ state }: TaskStatusInfo): boolean {
  return state in STATES
}

/** Whether nothing follows: the task will never change again. */
export function isTerminal(status: TaskStatus): boolean {
  return status === 'completed' || status === 'canceled' || status === 'failed' || status === 'rejected'
}
