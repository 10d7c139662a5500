import type { JsonObject } from '../../base/json-object.ts'
import type { Reader } from '../../protocols/a2a/read/key-reader.ts'
import {
  listOf,
  members,
  object,
  optional,
  optionalObject,
  optionalText,
  text,
} from '../../protocols/a2a/read/key-reader.ts'
import { readAgentCard } from '../../protocols/a2a/read/read-agent-card.ts'
import { readStreamResponse, readTask } from '../../protocols/a2a/read/read-task.ts'
import type { AgentCard } from '../../protocols/a2a/schema/agent-card.ts'
import type { StreamResponse, Task } from '../../protocols/a2a/schema/task.ts'

/** Which tasks are listed. */
export interface TaskFilter {
  /** Tasks of this context. Absent: of all. */
  readonly contextId?: string | undefined
  /** Tasks in this state, such as `TASK_STATE_WORKING`. Absent: in any. */
  readonly status?: string | undefined
  /** Tasks on a page. Absent: as many as the agent gives. */
  readonly pageSize?: number | undefined
  /** The page after another one, by its `nextPageToken`. Absent: the first. */
  readonly pageToken?: string | undefined
  /** Messages of the history of each. Absent: as many as the agent gives. */
  readonly historyLength?: number | undefined
  /** Whether artifacts come along. Absent: as the agent does by itself. */
  readonly includeArtifacts?: boolean | undefined
}

/** A page of the tasks of an agent. */
export interface TaskPage {
  readonly tasks: readonly Task[]
  /** Of the next page. Absent: this is the last. */
  readonly nextPageToken?: string | undefined
}

/** Where an agent posts updates of a task: an address of a server, never of a page. */
export interface PushNotificationConfig {
  readonly taskId: string
  readonly url: string
  readonly id?: string | undefined
  /** What the agent repeats in each post, so that the server knows it. */
  readonly token?: string | undefined
  /** How the agent proves who it is. */
  readonly authentication?: JsonObject | undefined
}

const readTaskPage: Reader<TaskPage> = (value, path) => {
  const page = object(value, path)
  const nextPageToken = optionalText(page.nextPageToken, `${path}.nextPageToken`) || undefined
  return { tasks: optional(listOf(readTask))(page.tasks, `${path}.tasks`) ?? [], nextPageToken }
}

const readPushConfig: Reader<PushNotificationConfig> = /* @__PURE__ */ members<PushNotificationConfig>({
  taskId: text,
  url: text,
  id: optionalText,
  token: optionalText,
  authentication: optionalObject,
})

const readPushConfigs: Reader<readonly PushNotificationConfig[]> = (value, path) =>
  optional(listOf(readPushConfig))(object(value, path).configs, `${path}.configs`) ?? []

/** What each call answers, by its name in `A2ATransport`. */
export interface A2AAnswers {
  readonly sendMessage: StreamResponse
  readonly getTask: Task
  readonly cancelTask: Task
  readonly listTasks: TaskPage
  readonly getExtendedAgentCard: AgentCard
  readonly createTaskPushNotificationConfig: PushNotificationConfig
  readonly getTaskPushNotificationConfig: PushNotificationConfig
  readonly listTaskPushNotificationConfigs: readonly PushNotificationConfig[]
  readonly deleteTaskPushNotificationConfig: void
}

/** Reads the answer of each call. */
export const ANSWER_READERS: { readonly [Name in keyof A2AAnswers]: Reader<A2AAnswers[Name]> } = {
  sendMessage: readStreamResponse,
  getTask: readTask,
  cancelTask: readTask,
  listTasks: readTaskPage,
  getExtendedAgentCard: readAgentCard,
  createTaskPushNotificationConfig: readPushConfig,
  getTaskPushNotificationConfig: readPushConfig,
  listTaskPushNotificationConfigs: readPushConfigs,
  deleteTaskPushNotificationConfig: () => undefined,
}
