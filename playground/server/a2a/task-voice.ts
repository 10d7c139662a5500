import { Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk'
import type { ExecutionEventBus } from '@a2a-js/sdk/server'
import { AgentEvent } from '@a2a-js/sdk/server'

/** Part of a message or an artifact, as A2A 1.0 writes it. */
export interface TaskPart {
  readonly text?: string
  /** Base64. */
  readonly raw?: string
  readonly url?: string
  readonly data?: unknown
  readonly filename?: string
  readonly mediaType?: string
}

export type TaskState =
  | 'SUBMITTED'
  | 'WORKING'
  | 'INPUT_REQUIRED'
  | 'AUTH_REQUIRED'
  | 'COMPLETED'
  | 'CANCELED'
  | 'FAILED'
  | 'REJECTED'

export interface SaidArtifact {
  readonly id: string
  readonly name?: string
  readonly parts: readonly TaskPart[]
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** Says on a bus of the SDK what a task does, in the words of the specification. */
export interface TaskVoice {
  readonly bus: ExecutionEventBus
  /** The task begins with the message that asked for it. */
  task(message: Message): void
  /** A task that continues, as the server has stored it. */
  again(task: Task): void
  status(state: TaskState, parts?: readonly TaskPart[]): void
  artifact(artifact: SaidArtifact, how?: { readonly append?: boolean; readonly lastChunk?: boolean }): void
  finished(): void
}

export function taskVoice(taskId: string, contextId: string, bus: ExecutionEventBus, uuid: () => string): TaskVoice {
  const statusOf = (state: TaskState, parts?: readonly TaskPart[]) => ({
    state: `TASK_STATE_${state}`,
    timestamp: new Date().toISOString(),
    ...(parts && { message: { messageId: uuid(), role: 'ROLE_AGENT', taskId, contextId, parts } }),
  })
  return {
    bus,
    task: (message) =>
      bus.publish(
        AgentEvent.task(
          Task.fromJSON({ id: taskId, contextId, status: statusOf('SUBMITTED'), history: [Message.toJSON(message)] }),
        ),
      ),
    again: (task) => bus.publish(AgentEvent.task(task)),
    status: (state, parts) =>
      bus.publish(
        AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status: statusOf(state, parts) })),
      ),
    artifact: ({ id, ...artifact }, { append = false, lastChunk = false } = {}) =>
      bus.publish(
        AgentEvent.artifactUpdate(
          TaskArtifactUpdateEvent.fromJSON({
            taskId,
            contextId,
            artifact: { artifactId: id, ...artifact },
            append,
            lastChunk,
          }),
        ),
      ),
    finished: () => bus.finished(),
  }
}
