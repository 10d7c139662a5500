import type { AgentError } from '../base/agent-error.ts'
import type { AgentClient } from '../session/agent-client.ts'
import type { ChatInstance } from './chat.ts'
import type { ChatMessage, OutgoingMessage } from './conversation/message.ts'
import type { SendOptions } from './chat-actions.ts'
import type { ChatState } from './chat-state.ts'
import type { RunEnd } from './run-end.ts'
import type { LeaseChange } from '../seam/lease.ts'
import type { PromptAnswer, PromptOutcome } from '../seam/prompt.ts'
import type { StopResult } from '../session/cancel-run.ts'
import type { AnswerResult, LeaseResult } from './answer-result.ts'
import type { SendResult } from './send-result.ts'

/** What an app wants to be notified of. A callback that throws is reported once and never disturbs the stream. */
export interface ChatCallbacks {
  /** An answer is complete. Absent: not told. */
  readonly onFinish?: ((message: ChatMessage) => void) | undefined
  /** The agent sent an error of severity WARNING. Absent: not told. */
  readonly onWarning?: ((warning: AgentError) => void) | undefined
  /** A run failed. Absent: not told. */
  readonly onError?: ((error: AgentError) => void) | undefined
  /**
   * A run has ended, however it ended: complete, incomplete, stopped, failed or not sent. Called once for each ending,
   * after `onFinish` and `onError`. Absent: not told.
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
   * What `capture()` of another chat gave, for one chat only: it goes on from there, with `resume()`. Absent: a new
   * chat.
   */
  readonly initialState?: ChatState | undefined
  /** Asked for at each event. Absent: nobody is told. */
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
  regenerate(messageId?: string, requestId?: string): Promise<SendResult>
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
