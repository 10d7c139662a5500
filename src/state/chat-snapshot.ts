import type { AgentError } from '../base/agent-error.ts'
import type { Attachment } from '../protocols/protocol.ts'
import type { Connection } from '../session/connection.ts'
import type { Message } from './message.ts'
import type { SendResult } from './send-result.ts'

export type { SendResult } from './send-result.ts'

/** `ready`: nothing runs. `submitted`: sent, nothing back yet. `streaming`: an answer grows. `error`: the last run failed. */
export type ChatStatus = 'ready' | 'submitted' | 'streaming' | 'error'

/** Everything a view can read of a chat: one immutable value, replaced at most once a frame while streaming. */
export interface ChatSnapshot {
  readonly conversationId: string
  readonly messages: readonly Message[]
  readonly status: ChatStatus
  readonly connection: Connection
  /** Why the last run failed; cleared by the next one or by `clearError()`. */
  readonly error: AgentError | undefined
  /** Every WARNING of this conversation, oldest first. */
  readonly warnings: readonly AgentError[]
  /**
   * Messages that wait for an answer to be complete, oldest first. Queued messages are not sent automatically after a
   * failure or a stop; the user sends or discards them.
   */
  readonly queued: readonly QueuedMessage[]
}

/** What a person adds to a conversation. */
export interface OutgoingMessage {
  readonly text: string
  /** Files uploaded before or carried along; a bare string is the id of an uploaded one. */
  readonly files?: readonly (string | Attachment)[] | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** A message that has not gone out yet. */
export interface QueuedMessage {
  /** The request id it will go out under. */
  readonly id: string
  readonly message: OutgoingMessage
}

export interface SendOptions {
  /**
   * What becomes of the message while an answer runs. `reject` (default): refused with code `busy`. `queue`: kept in
   * `queued` and sent when that answer, or a later one, is complete.
   */
  readonly whenBusy?: 'reject' | 'queue' | undefined
}

/** The verbs of a chat. Each is safe to call at any time and from any closure; none changes identity. */
export interface ChatActions {
  /**
   * Sends a message and opens a run. Resolves with `accepted` when the run has ended, however it ended: failures are
   * in the snapshot. Resolves at once with `queued` when the message waits, and with `refused` when nothing was sent: code
   * `busy` while another run is live and it may not queue, `invalid_request` without text and files. It does not reject.
   */
  sendMessage(message: string | OutgoingMessage, options?: SendOptions): Promise<SendResult>
  /**
   * Puts `message` in the place of one the person sent: what followed is dropped, a run that is live is stopped,
   * and a new one begins under a new request id. Text alone keeps the files and metadata of the old one.
   * Resolves like `sendMessage`; with code `invalid_request`, and without any change, when there is no such
   * message or nothing to send.
   */
  edit(messageId: string, message: string | OutgoingMessage): Promise<SendResult>
  /**
   * Asks again for the last answer (or the given one) under a new request id. What never arrived is sent again under its own.
   * Resolves like `sendMessage`.
   */
  regenerate(messageId?: string): Promise<SendResult>
  /** Ends the run; what has come stays, marked as stopped. Idempotent; nothing is written after it resolves. */
  stop(): Promise<void>
  /** Leaves the line but not the run: `resume()` goes on after the last packet seen. */
  disconnect(): Promise<void>
  /**
   * Takes up a run left by `disconnect()` or given up as incomplete, under the same request id. When the server asked to
   * wait (Retry-After), the attempt goes out once that wait is over; `retry()` does not wait.
   */
  resume(): Promise<void>
  /**
   * Does what "try again" means here: resumes an incomplete run, repeats an unsent message under the
   * same request id, asks again for a failed answer; skips the wait before the next attempt, and resolves at once then.
   * Resolves like `sendMessage`.
   */
  retry(messageId?: string): Promise<SendResult>
  /** Takes out an unsent or a queued message and returns what was to be sent, for editing. Undefined when there is none. */
  discard(messageId: string): OutgoingMessage | undefined
  /**
   * Puts older messages, such as those of an earlier page of a store, in front of all there are, oldest first. What is
   * there already, by its id, is left out. It disturbs no run.
   */
  prepend(messages: readonly Message[]): void
  clearError(): void
}

/** A live conversation: state to read, verbs to act. */
export interface Chat extends ChatActions {
  readonly conversationId: string
  getSnapshot(): ChatSnapshot
  subscribe(listener: () => void): () => void
  /**
   * Stops, lets go of everything. Idempotent. From then on nothing is sent: `sendMessage`, `edit`, `regenerate` and
   * `retry` resolve with `refused` and code `app_error`, the other verbs resolve and do nothing to the agent. Promises
   * of verbs that were under way resolve.
   */
  dispose(): Promise<void>
}
