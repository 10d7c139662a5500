import type { AgentError } from '../base/agent-error.ts'
import type { Connection } from '../session/connection.ts'
import type { Message } from './message.ts'

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
}

/** What a person adds to a conversation. */
export interface OutgoingMessage {
  readonly text: string
  readonly files?: readonly string[] | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** The verbs of a chat. Each is safe to call at any time and from any closure; none changes identity. */
export interface ChatActions {
  /**
   * Sends a message and opens a run. Resolves when the run has ended, however it ended: failures are
   * in the snapshot. Rejects with code `busy` while another run is live, `invalid_request` for empty text.
   */
  sendMessage(message: string | OutgoingMessage): Promise<void>
  /** Asks again for the last answer (or the given one) under a new request id. What never arrived is sent again under its own. */
  regenerate(messageId?: string): Promise<void>
  /** Ends the run; what has come stays, marked as stopped. Idempotent; nothing is written after it resolves. */
  stop(): Promise<void>
  /** Leaves the line but not the run: `resume()` goes on after the last packet seen. */
  disconnect(): Promise<void>
  /** Takes up a run left by `disconnect()` or given up as incomplete, under the same request id. */
  resume(): Promise<void>
  /**
   * Does what "try again" means here: resumes an incomplete run, repeats an unsent message under the
   * same request id, asks again for a failed answer; skips the wait before the next attempt.
   */
  retry(messageId?: string): Promise<void>
  /** Removes an unsent message and returns its text, for editing. */
  discard(messageId: string): string
  clearError(): void
}

/** A live conversation: state to read, verbs to act. */
export interface Chat extends ChatActions {
  readonly conversationId: string
  getSnapshot(): ChatSnapshot
  subscribe(listener: () => void): () => void
  /** Stops, lets go of everything. Idempotent. */
  dispose(): Promise<void>
}
