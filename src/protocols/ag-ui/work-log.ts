import { isOptional, isString, shape } from '../../base/guards.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { AgentPart, TaskStatus } from '../../seam/agent-event.ts'
import type { WorkState } from './handle.ts'
import { stepOf } from './run-order.ts'
import type { AgUiEvent } from './events.ts'

interface Task {
  readonly title: string
  readonly detail?: string | undefined
  readonly parentId?: string | undefined
}

const isText = isOptional(isString)
const isTask = shape<Task>({ title: isString, detail: isText, parentId: isText })

export type WorkEvent = Extract<
  AgUiEvent,
  { readonly type: 'STEP_STARTED' | 'STEP_FINISHED' | 'SUBAGENT_STARTED' | 'SUBAGENT_FINISHED' | 'SUBAGENT_ERROR' }
>

/** Steps and subagents of a run, as parts. */
export interface WorkLog {
  readonly state: WorkState
  partOf(event: WorkEvent): { readonly partId: string; readonly part: AgentPart }
}

/** @param mint a number that the run has not used */
export function createWorkLog(before: WorkState | undefined, mint: () => number): WorkLog {
  // Keys are of the sender, so these are maps.
  const steps = new Map(Object.entries(before?.steps ?? {}))
  const tasks = new Map(Object.entries(before?.tasks ?? {}))

  function task(partId: string, status: TaskStatus, detail?: string): { partId: string; part: AgentPart } {
    const known = tasks.get(partId)
    const own = isTask(known) ? known : { title: partId }
    return { partId, part: { type: 'task', ...own, status, ...(detail !== undefined && { detail }) } }
  }

  return {
    get state() {
      return { steps: Object.fromEntries(steps), tasks: Object.fromEntries(tasks) }
    },
    partOf(event) {
      switch (event.type) {
        case 'STEP_STARTED': {
          const partId = `step-${mint()}`
          steps.set(stepOf(event), partId)
          return { partId, part: { type: 'progress', label: event.stepName, status: 'running' } }
        }
        case 'STEP_FINISHED': {
          const key = stepOf(event)
          const known = steps.get(key)
          const partId = isString(known) ? known : key
          steps.delete(key)
          return { partId, part: { type: 'progress', label: event.stepName, status: 'complete' } }
        }
        case 'SUBAGENT_STARTED': {
          const { subagentRunId, name: title, description, parentSubagentRunId } = event
          tasks.set(subagentRunId, {
            title,
            ...(description !== undefined && { detail: description }),
            ...(parentSubagentRunId !== undefined && { parentId: parentSubagentRunId }),
          })
          return task(subagentRunId, 'working')
        }
        case 'SUBAGENT_FINISHED': {
          const isSuspended = isJsonObject(event.outcome) && event.outcome['type'] === 'suspended'
          return task(event.subagentRunId, isSuspended ? 'input-required' : 'completed')
        }
        case 'SUBAGENT_ERROR':
          return task(event.subagentRunId, 'failed', event.message)
      }
    },
  }
}
