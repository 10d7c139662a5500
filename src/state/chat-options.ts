import type { AgentError } from '../base/agent-error.ts'
import type { AgentClient } from '../session/agent-client.ts'
import type { Chat, OutgoingMessage, SendOptions } from './chat-snapshot.ts'
import type { ChatState } from './chat-state.ts'
import type { Message } from './message.ts'
import type { RunEnd } from './run-end.ts'
import type { SendResult } from './send-result.ts'

/** What an app wants to hear of. A callback that throws is reported once and never disturbs the stream. */
export interface ChatCallbacks {
  /** An answer is complete. */
  readonly onFinish?: ((message: Message) => void) | undefined
  readonly onWarning?: ((warning: AgentError) => void) | undefined
  /** A run failed. */
  readonly onError?: ((error: AgentError) => void) | undefined
  /** A run has ended, however it ended: complete, incomplete, stopped, failed or not sent. Called once for each ending, after `onFinish` and `onError`. */
  readonly onEnd?: ((end: RunEnd) => void) | undefined
}

export interface ChatOptions {
  /** Asked for at the start of each run, so that the newest one is used. */
  readonly client: () => AgentClient
  readonly conversationId: string
  readonly initialMessages?: readonly Message[] | undefined
  /** What `capture()` of another chat gave, for one chat only: it goes on from there, with `resume()`. */
  readonly initialState?: ChatState | undefined
  /** Asked for at each event. */
  readonly callbacks?: (() => ChatCallbacks) | undefined
}

/** Makes chats that outlive their page, such as the store of `capstan/storage`. */
export interface ChatMaker {
  /** A chat in the place of the one `createChat` would make. Nothing happens before its `resume()` or another verb is called. */
  open(options: ChatOptions): Chat
}

/**
 * A chat that can be taken up elsewhere. What begins a run takes the request id to begin it under, so that the caller can
 * tell whether it was done, and repeat it elsewhere without doing it twice.
 */
export interface CapturableChat extends Chat {
  sendMessage(message: string | OutgoingMessage, options?: SendOptions, requestId?: string): Promise<SendResult>
  edit(messageId: string, message: string | OutgoingMessage, requestId?: string): Promise<SendResult>
  regenerate(messageId?: string, requestId?: string): Promise<SendResult>
  retry(messageId?: string, requestId?: string): Promise<SendResult>
  /** Captures the full state. Do not call it from a callback: the current batch may be half applied. */
  capture(): ChatState
}
