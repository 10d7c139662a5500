import type { ChatMessage, OutgoingMessage } from './conversation/message.ts'
import type { LeaseChange } from '../seam/lease.ts'
import type { PromptAnswer } from '../seam/prompt.ts'
import type { StopResult } from '../session/cancel-run.ts'
import type { AnswerResult, LeaseResult } from './answer-result.ts'
import type { SendResult } from './send-result.ts'

export interface SendOptions {
  /**
   * What becomes of the message while an answer runs or the agent waits for an answer of the user. `reject`: refused with code
   * `busy`. `queue`: kept in `queued` and sent when that answer, or a later one, is complete. `say`: said into the running answer,
   * where the agent can hear that; else like `queue`.
   *
   * @default 'reject'
   */
  readonly whenBusy?: 'reject' | 'queue' | 'say' | undefined
}

/** The actions of a chat. Each can be called at any time and from any closure; none changes identity. */
export interface ChatActions {
  /**
   * Sends a message and opens a run. Resolves with `accepted` when the run has ended, however it ended: failures are
   * in the snapshot. Resolves immediately with `queued` when the message is queued, and with `refused` when nothing was sent: code
   * `busy` while another run is live and it must not be queued, `invalid_request` without text and files. It does not reject.
   */
  sendMessage(message: string | OutgoingMessage, options?: SendOptions): Promise<SendResult>
  /**
   * Replaces a message of the user: later messages are removed, a live run is stopped, and a new run
   * begins with a new request id. Text alone keeps the files and metadata of the old one.
   * Resolves like `sendMessage`; with code `invalid_request`, and without any change, when there is no such
   * message or nothing to send.
   */
  edit(messageId: string, message: string | OutgoingMessage): Promise<SendResult>
  /**
   * Asks again for the last answer (or the given one) with a new request id. A message that was not sent keeps its own.
   * Resolves like `sendMessage`.
   */
  regenerate(messageId?: string): Promise<SendResult>
  /**
   * Ends the run and asks the agent to stop its work; the partial answer stays, marked as stopped. Open prompts are withdrawn.
   * Resolves with `cancelled` when the agent no longer works on it, and with `left` when it cannot be told or has not confirmed
   * within 15 seconds, so that it may still be working. Idempotent; no text is added after the call.
   */
  stop(): Promise<StopResult>
  /**
   * Says something into the running answer: `sendMessage` with `whenBusy: 'say'`. It is a `said` part of the answer, at the place
   * where it was said.
   */
  say(text: string): Promise<SendResult>
  /**
   * Answers a prompt of the agent, once: the answer is kept before it is sent, and repeated under the same id until the agent
   * confirms it. Resolves with what is known of that; does not reject.
   */
  answer(promptId: string, answer: PromptAnswer): Promise<AnswerResult>
  /**
   * Asks the agent for more time of a lease, or gives the lease back; repeated under the same id until the agent confirms it. Resolves with
   * what is known of that; does not reject.
   */
  changeLease(leaseId: string, change: LeaseChange): Promise<LeaseResult>
  /** Closes the connection but does not end the run: `resume()` continues after the last packet seen. */
  disconnect(): Promise<void>
  /**
   * Resumes a run after `disconnect()` or after it ended as incomplete, with the same request id. When the server asked to
   * wait (Retry-After), the attempt is made once that wait is over; `retry()` does not wait.
   */
  resume(): Promise<void>
  /**
   * What a "Try again" button calls: resumes an incomplete run, repeats an unsent message under the
   * same request id, asks again for a failed answer; skips the wait before the next attempt, and then resolves immediately.
   * Resolves like `sendMessage`.
   */
  retry(messageId?: string): Promise<SendResult>
  /** Removes an unsent or queued message and returns its content, for editing. Undefined when there is none. */
  discard(messageId: string): OutgoingMessage | undefined
  /**
   * Adds older messages, such as an earlier page of a store, before the existing ones, oldest first. Messages with a known
   * id are left out; of several with one id the last is added. Runs are not affected.
   */
  prepend(messages: readonly ChatMessage[]): void
  clearError(): void
}
