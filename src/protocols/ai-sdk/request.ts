import type { JsonObject } from '../../base/json-object.ts'
import type { UiMessage } from './messages.ts'

/** One run: what is posted to the server, and the answer that it continues. */
export interface AiSdkRequest {
  /** The id of the chat, which a stream is resumed by. */
  readonly chatId: string
  /** The body of the POST, sent as JSON. */
  readonly body: JsonObject
  /** The answer that continues, with approvals and outputs as they are sent. Absent: a new answer. */
  readonly continues?: UiMessage | undefined
  /** Ids of the answers before: a stream of one of them is not this run's. */
  readonly answerIds: readonly string[]
  /** What the user has made of the shared state, and the id of that edit. Absent: nothing that was not sent before. */
  readonly edited?: { readonly id: string; readonly state: unknown } | undefined
}
