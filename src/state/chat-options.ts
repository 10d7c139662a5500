import { type AgentError, isAgentError } from '../base/agent-error.ts'
import type { AgentClient, StopResult } from '../session/agent-client.ts'
import type { ChatMessage, OutgoingMessage } from './turn.ts'
import type { ChatState, ChatSnapshot } from './chat-snapshot.ts'
import type { LeaseChange } from '../seam/lease.ts'
import type { PromptAnswer, PromptOutcome, FieldError } from '../seam/prompt.ts'
import type { StateEdit } from '../seam/state-edit.ts'

/** How a run ended, as passed to callbacks. */
export interface RunEnd {
  /** The last answer of the run; the user's own message when it could not be sent. */
  readonly message: ChatMessage
  /** `complete`, `incomplete` (the connection ended for good before the agent did), `stopped`, `failed`, or `not-sent`. */
  readonly status: 'complete' | 'incomplete' | 'stopped' | 'failed' | 'not-sent'
  /** Why it failed; undefined for `complete` and `stopped`. */
  readonly error: AgentError | undefined
}

/** What an app wants to be notified of. A callback that throws is reported once and never disturbs the stream. */
export interface ChatCallbacks {
  /** An answer is complete. Default: no callback. */
  readonly onFinish?: ((message: ChatMessage) => void) | undefined
  /** The agent sent an error of severity WARNING. Default: no callback. */
  readonly onWarning?: ((warning: AgentError) => void) | undefined
  /** A run failed. Default: no callback. */
  readonly onError?: ((error: AgentError) => void) | undefined
  /**
   * A run has ended, however it ended: complete, incomplete, stopped, failed or not sent. Called once for each ending,
   * after `onFinish` and `onError`. Default: no callback.
   */
  readonly onEnd?: ((end: RunEnd) => void) | undefined
}

export interface ChatOptions {
  /** Asked for at the start of each run, so that the newest one is used. */
  readonly client: () => AgentClient
  readonly conversationId: string
  /** Messages to begin with, oldest first; of several with one id the last is shown. @default [] */
  readonly initialMessages?: readonly ChatMessage[] | undefined
  /**
   * What `capture()` of another chat gave, for one chat only: it continues from there, with `resume()`. Absent: a new
   * chat.
   */
  readonly initialState?: ChatState | undefined
  /** Read at each event. Default: no callbacks. */
  readonly callbacks?: (() => ChatCallbacks) | undefined
}

/** Makes chats that outlive their page, such as the store of `capstan/storage`. */
export interface ChatMaker {
  /** A chat in place of the one `createChat` would make. Nothing happens before its `resume()` or another action is called. */
  open(options: ChatOptions): ChatInstance
}

/**
 * A chat whose run can be resumed elsewhere. Actions that begin a run take its request id, so that the caller can
 * tell whether it was done, and repeat it elsewhere without doing it twice.
 */
export interface CapturableChat extends ChatInstance {
  sendMessage(message: string | OutgoingMessage, options?: SendOptions, requestId?: string): Promise<SendResult>
  edit(messageId: string, message: string | OutgoingMessage, requestId?: string): Promise<SendResult>
  regenerate(messageId?: string, options?: RegenerateOptions, requestId?: string): Promise<SendResult>
  retry(messageId?: string, requestId?: string): Promise<SendResult>
  /** Stops the run of that request, which another page may have begun, and no other. */
  stopRun(requestId: string): Promise<StopResult>
  answer(promptId: string, answer: PromptAnswer, answerId?: string): Promise<AnswerResult>
  /** Applies how prompts have ended for another page, where that is not known here. */
  settlePrompts(outcomes: readonly PromptOutcome[]): void
  changeLease(leaseId: string, change: LeaseChange, changeId?: string): Promise<LeaseResult>
  /** Captures the full state. Do not call it from a callback: the current batch may be half applied. */
  capture(): ChatState
}

/** What goes with the request of one run besides its message. */
export interface RegenerateOptions {
  /** Sent to the agent with this request, key by key over the metadata of the message. @default {} */
  readonly metadata?: OutgoingMessage['metadata']
}

/** What {@link ChatActions.sendMessage} does with its message. */
export interface SendOptions extends RegenerateOptions {
  /**
   * What becomes of the message while an answer runs or the agent waits for an answer of the user. `reject`: refused with code
   * `busy`. `queue`: kept in `queued` and sent when that answer, or a later one, is complete. `say`: sent into the running answer,
   * if the agent supports that; else like `queue`.
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
   * Asks again for the last answer (or the given one) with a new request id. A message that was not sent keeps its own, unless `metadata`
   * makes another request of it. `metadata` is sent with this request alone and saved with its answer: `retry` repeats it, another
   * `regenerate` asks with what it is given. Resolves like `sendMessage`.
   */
  regenerate(messageId?: string, options?: RegenerateOptions): Promise<SendResult>
  /**
   * Ends the run and asks the agent to stop its work; the partial answer stays, marked as stopped. Open prompts are withdrawn.
   * Resolves with `cancelled` when the agent no longer works on it, and with `left` when it cannot be notified or has not confirmed
   * within 15 seconds, so that it may still be working. Idempotent; no text is added after the call.
   */
  stop(): Promise<StopResult>
  /**
   * Sends a message into the running answer: `sendMessage` with `whenBusy: 'say'`. It is a `said` part of the answer, at the place
   * where it was sent.
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
   * wait (Retry-After), the attempt is made once that wait has ended; `retry()` does not wait.
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

/** A live conversation: a snapshot to read and actions to call. */
export interface ChatInstance extends ChatActions {
  readonly conversationId: string
  getSnapshot(): ChatSnapshot
  subscribe(listener: () => void): () => void
  /**
   * Keeps what the user has made of the shared state, for the next run to take along; `useAgentState` makes such edits. Undefined drops
   * it. Returns false, and changes nothing, where the protocol carries no state.
   */
  changeState(edit: StateEdit | undefined): boolean
  /**
   * Stops the run and releases all resources. Idempotent. From then on nothing is sent: `sendMessage`, `edit`, `regenerate` and
   * `retry` resolve with `refused` and code `app_error`, the other actions resolve without effect. Promises of
   * actions in progress resolve.
   */
  dispose(): Promise<void>
}

/** What became of an answer to a prompt. Resolved, never thrown. */
export type AnswerResult =
  /** The agent has it. */
  | { readonly status: 'accepted' }
  /** It is sent when the other prompts of the run are answered. */
  | { readonly status: 'staged' }
  /** The prompt was answered elsewhere, has expired or was withdrawn. */
  | { readonly status: 'too-late' }
  /** The agent refused it: the prompt is open again, with these errors. */
  | { readonly status: 'invalid'; readonly errors: readonly FieldError[] }
  /** It was sent, and nobody knows whether it arrived. The same answer can be given again: the agent takes it once. */
  | { readonly status: 'unconfirmed'; readonly error: AgentError }
  /** Nothing was sent: there is no such prompt, it asks for something else now, or the agent takes no answers. */
  | { readonly status: 'refused'; readonly error: AgentError }

/** What became of a wish to change a lease. Resolved, never thrown. */
export type LeaseResult = Exclude<AnswerResult, { readonly status: 'staged' }>

/** What became of something that was to be sent. Resolved, never thrown: `void chat.sendMessage(…)` leaves no unhandled rejection. */
export type SendResult =
  /** The chat took it, and the run has ended. How it ended is in the snapshot. */
  | { readonly status: 'accepted' }
  /** It waits in `queued` for the answer that runs. */
  | { readonly status: 'queued' }
  /** Nothing was sent and nothing changed. `busy`: another run is live. `invalid_request`: there is nothing to send, or no such message. `app_error`: the chat was disposed of. */
  | { readonly status: 'refused'; readonly error: AgentError }

export const ACCEPTED: SendResult = { status: 'accepted' }

export const QUEUED: SendResult = { status: 'queued' }

/** A refusal as a result. Whatever else is thrown is a fault of the code, and stays an exception. */
export async function resultOf(sending: Promise<SendResult | void>): Promise<SendResult> {
  try {
    return (await sending) ?? ACCEPTED
  } catch (error) {
    if (isAgentError(error)) return { status: 'refused', error }
    throw error
  }
}
