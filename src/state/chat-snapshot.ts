import type { AgentError } from '../base/agent-error.ts'
import type { StateEdit } from '../seam/state-edit.ts'
import type { Connection } from '../session/connection.ts'
import type { ChatMessage, QueuedMessage } from './conversation/message.ts'

/**
 * `ready`: nothing runs. `submitted`: sent, nothing back yet. `streaming`: an answer grows. `awaiting-input`: the agent has asked
 * something and waits for the user. `error`: the last run failed.
 */
export type ChatStatus = 'ready' | 'submitted' | 'streaming' | 'awaiting-input' | 'error'

/** Everything a view can read of a chat: one immutable value, replaced at most once a frame while streaming. */
export interface ChatSnapshot {
  readonly conversationId: string
  readonly messages: readonly ChatMessage[]
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
  /** What the user has made of the shared state last, whether or not a run has taken it along; see `useAgentState`. Absent: nothing. */
  readonly stateEdit?: StateEdit | undefined
}
