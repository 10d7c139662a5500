import type { JsonObject } from '../../../base/json-object.ts'
import type { Reader } from '../read/key-reader.ts'
import { listOf, members, optional, optionalNumber, optionalObject, optionalText, text } from '../read/key-reader.ts'
import { readAgentCard } from '../read/read-agent-card.ts'
import { readStreamResponse, readTask } from '../read/read-task.ts'
import type { AgentCard } from '../schema/agent-card.ts'
import type { StreamResponse, Task } from '../schema/task.ts'

/** Which tasks are listed. */
export interface TaskFilter {
  /** Tasks of this context. Absent: of all. */
  readonly contextId?: string | undefined
  /** Tasks in this state, such as `TASK_STATE_WORKING`. Absent: in any. */
  readonly status?: string | undefined
  /** Tasks whose status changed after this time, in ISO 8601: `2026-03-01T08:15:00Z`. Absent: at any time. */
  readonly statusTimestampAfter?: string | undefined
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
  /** Most tasks on a page, as the agent applied it. Absent: the agent does not report it. */
  readonly pageSize?: number | undefined
  /** Tasks on all pages. Absent: the agent does not report it. */
  readonly totalSize?: number | undefined
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

/** A page of the configurations of a task. */
export interface PushNotificationConfigPage {
  readonly configs: readonly PushNotificationConfig[]
  /** Of the next page. Absent: this is the last. */
  readonly nextPageToken?: string | undefined
}

/** A list that may be absent: ProtoJSON leaves out one that is empty. */
const listOrNone =
  <Item>(item: Reader<Item>): Reader<readonly Item[]> =>
  (value, path) =>
    optional(listOf(item))(value, path) ?? []

/** ProtoJSON leaves out the token of the last page, and some servers send it empty. */
const pageToken: Reader<string | undefined> = (value, path) => optionalText(value, path) || undefined

const readTaskPage: Reader<TaskPage> = /* @__PURE__ */ members<TaskPage>({
  tasks: listOrNone(readTask),
  nextPageToken: pageToken,
  pageSize: optionalNumber,
  totalSize: optionalNumber,
})

const readPushConfig: Reader<PushNotificationConfig> = /* @__PURE__ */ members<PushNotificationConfig>({
  taskId: text,
  url: text,
  id: optionalText,
  token: optionalText,
  authentication: optionalObject,
})

const readPushConfigPage: Reader<PushNotificationConfigPage> = /* @__PURE__ */ members<PushNotificationConfigPage>({
  configs: listOrNone(readPushConfig),
  nextPageToken: pageToken,
})

/** What each call answers, by its name in `A2ATransport`. */
export interface A2AAnswers {
  readonly sendMessage: StreamResponse
  readonly getTask: Task
  readonly cancelTask: Task
  readonly listTasks: TaskPage
  readonly getExtendedAgentCard: AgentCard
  readonly createTaskPushNotificationConfig: PushNotificationConfig
  readonly getTaskPushNotificationConfig: PushNotificationConfig
  readonly listTaskPushNotificationConfigs: PushNotificationConfigPage
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
  listTaskPushNotificationConfigs: readPushConfigPage,
  deleteTaskPushNotificationConfig: () => undefined,
}
