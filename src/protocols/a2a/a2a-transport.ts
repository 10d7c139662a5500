import type { AgentError } from '../../base/agent-error.ts'
import type { JsonObject } from '../../base/json-object.ts'

/** What every call of a transport is given. */
export interface A2ACall {
  /** Aborting ends the call, or closes the stream. */
  readonly signal: AbortSignal
}

/** One event of a stream unchanged. */
export type A2AFrame = {
  /** Size as UTF-8, for the limit of an answer. Absent: not counted. */
  readonly bytes?: number | undefined
} & (
  | {
      /** The StreamResponse as JSON, not yet read. */
      readonly response: unknown
      readonly fault?: undefined
    }
  | {
      readonly response?: undefined
      /** It could not even be read as JSON: it is left out with this warning. */
      readonly fault: AgentError
    }
)

/** What one network chunk held. */
export interface A2AFrames {
  /** Empty: a sign of life. */
  readonly frames: readonly A2AFrame[]
  /** Empty because its bytes completed nothing; see `Batch.partial`. @default false */
  readonly partial?: boolean | undefined
}

/**
 * Transport for the calls of A2A 1.0: JSON in, JSON out, as in the specification. It does not retry. Failures are
 * an AgentError: `agentCode` is the code of JSON-RPC (`-32001`, …) in every binding. JSON-RPC is the default; an own one can wrap
 * another SDK, or gRPC.
 *
 * @example
 * ```ts
 * import { A2AClient, type A2ATransport } from 'capstan/a2a'
 *
 * export const over = (transport: A2ATransport): A2AClient => new A2AClient({ transport })
 * ```
 */
export interface A2ATransport {
  /** Origin its connections go to, for limits per server. Absent: the page's own. */
  readonly server?: string | undefined
  /** SendMessage: gives `{ task }` or `{ message }`. */
  sendMessage(params: JsonObject, call: A2ACall): Promise<unknown>
  /**
   * SendStreamingMessage. Yields once without frames when the agent has answered, then once per network chunk. Returns when the
   * connection has ended, whether or not the task has; throws what the agent reports, and when the connection breaks.
   */
  sendMessageStream(params: JsonObject, call: A2ACall): AsyncIterable<A2AFrames>
  /** SubscribeToTask, which yields like `sendMessageStream`. */
  resubscribe(params: JsonObject, call: A2ACall): AsyncIterable<A2AFrames>
  /** GetTask: gives the task. */
  getTask(params: JsonObject, call: A2ACall): Promise<unknown>
  /** ListTasks: gives `{ tasks, nextPageToken }`. Absent: the agent cannot be asked whether it has a message. */
  listTasks?(params: JsonObject, call: A2ACall): Promise<unknown>
  /** CancelTask: gives the task. */
  cancelTask(params: JsonObject, call: A2ACall): Promise<unknown>
  /** GetExtendedAgentCard. Absent: not supported. */
  getExtendedAgentCard?(params: JsonObject, call: A2ACall): Promise<unknown>
  /** CreateTaskPushNotificationConfig. Absent: not supported. */
  createTaskPushNotificationConfig?(params: JsonObject, call: A2ACall): Promise<unknown>
  /** GetTaskPushNotificationConfig. Absent: not supported. */
  getTaskPushNotificationConfig?(params: JsonObject, call: A2ACall): Promise<unknown>
  /** ListTaskPushNotificationConfigs. Absent: not supported. */
  listTaskPushNotificationConfigs?(params: JsonObject, call: A2ACall): Promise<unknown>
  /** DeleteTaskPushNotificationConfig. Absent: not supported. */
  deleteTaskPushNotificationConfig?(params: JsonObject, call: A2ACall): Promise<unknown>
}
