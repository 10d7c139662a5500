import type { JsonObject } from '../../base/json-object.ts'
import type { A2AHandle } from './handle.ts'
import type { Message } from './messages.ts'

/** How a message is to be worked on (A2A section 3.2.2). */
export interface SendConfiguration {
  /** Media types the page can show. Absent: the agent decides. */
  readonly acceptedOutputModes?: readonly string[] | undefined
  /** Messages of the history in the answer. Absent: the agent decides. */
  readonly historyLength?: number | undefined
  /** Whether SendMessage answers at once with the task, and not when it is done. @default false */
  readonly returnImmediately?: boolean | undefined
  /** Where the agent posts updates of the task: a server of yours. Absent: nowhere. */
  readonly taskPushNotificationConfig?: JsonObject | undefined
}

/** A run that sends a message. */
export interface MessageRequest {
  /** Of the path of the agent (A2A section 3.6.4). Absent: none. */
  readonly tenant?: string | undefined
  readonly message: Message
  readonly configuration?: SendConfiguration | undefined
  /** Of the request, beside that of the message. Absent: none. */
  readonly metadata?: JsonObject | undefined
  /** What was remembered of the run whose question the message answers. Absent: it answers none. */
  readonly after?: A2AHandle | undefined
}

/** A run that follows a task that is there, and sends nothing. */
export interface FollowRequest {
  readonly message?: undefined
  readonly taskId: string
}

/** What one run asks of an agent: a message, or to follow a task. */
export type A2ARequest = MessageRequest | FollowRequest

/** The parameters of SendMessage and SendStreamingMessage. */
export function sendParams({ tenant, message, configuration, metadata }: MessageRequest): JsonObject {
  return { tenant, message, configuration, metadata }
}
