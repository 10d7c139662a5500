import type { TaskStatus } from '../seam/agent-event.ts'

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
