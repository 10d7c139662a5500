import type { Elementary, ObjectShape, Shape, ValueOf } from '../../../base/format/shape.ts'
import { read, number, object, text } from '../../../base/format/shape.ts'
import { readAgentCard } from '../agent-card.ts'
import { readStreamResponse, TASK } from '../messages.ts'
import type { AgentCard } from '../agent-card.ts'
import type { StreamResponse, Task } from '../messages.ts'

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
  /** Whether artifacts are included. Default: the agent's. */
  readonly includeArtifacts?: boolean | undefined
}

/** A list that may be absent: ProtoJSON leaves out one that is empty. */
const listOf =
  <const Item extends Shape>(item: Item): Elementary<ValueOf<Item>[]> =>
  (list, path) =>
    read([item], list ?? [], path)

/** ProtoJSON leaves out the token of the last page, and some servers send it empty. */
const pageToken: Elementary<string | undefined> = (token, path) =>
  token === undefined || token === null ? undefined : text(token, path) || undefined

/** `nextPageToken` is absent on the last page; agents report `pageSize`, as applied, and `totalSize`, over all pages, or neither. */
const TASK_PAGE = {
  tasks: listOf(TASK),
  nextPageToken: pageToken,
  'pageSize?': number,
  'totalSize?': number,
}

/** `url` is an address of a server, never of a page. The agent repeats `token` in each post, so that the server recognises it. */
const PUSH_CONFIG = {
  taskId: text,
  url: text,
  'id?': text,
  'token?': text,
  'authentication?': object,
}

const PUSH_CONFIG_PAGE = { configs: listOf(PUSH_CONFIG), nextPageToken: pageToken }

/** A page of the tasks of an agent. Without `nextPageToken` it is the last one; `totalSize` counts the tasks of all pages. */
export type TaskPage = ValueOf<typeof TASK_PAGE>
/** Where an agent posts updates of a task: `url` is an address of a server, never of a page. */
export type PushNotificationConfig = ValueOf<typeof PUSH_CONFIG>
/** A page of the configurations of a task. Without `nextPageToken` it is the last one. */
export type PushNotificationConfigPage = ValueOf<typeof PUSH_CONFIG_PAGE>

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

/** The answer of each call. */
export const ANSWERS: { readonly [Name in keyof A2AAnswers]: Elementary<A2AAnswers[Name]> | ObjectShape } = {
  sendMessage: readStreamResponse,
  getTask: TASK,
  cancelTask: TASK,
  listTasks: TASK_PAGE,
  getExtendedAgentCard: readAgentCard,
  createTaskPushNotificationConfig: PUSH_CONFIG,
  getTaskPushNotificationConfig: PUSH_CONFIG,
  listTaskPushNotificationConfigs: PUSH_CONFIG_PAGE,
  deleteTaskPushNotificationConfig: () => undefined,
}
