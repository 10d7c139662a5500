import type { AgentPart } from '../../seam/agent-event.ts'
import type { Attachment } from '../../seam/chat-input.ts'

/** Names a conversation. */
export interface ConversationKey {
  /** Whose it is: what `authorize` returned, empty without it. Nobody else ever reads it. */
  readonly owner: string
  /** The id that the client gave it, a UUID. */
  readonly id: string
}

/** A part of an answer: text, or anything else that a page shows. */
export type ConversationPart = ({ readonly type: 'text'; readonly text: string } | AgentPart) & {
  /** Unique in its answer. */
  readonly id: string
}

/** Messages or items of one vendor: an answer in the vendor's own form, for the next request. */
export interface ModelRecord {
  /** `openai` or `anthropic`, or your own name. */
  readonly vendor: string
  /** Plain JSON, in order, unchanged. */
  readonly items: readonly object[]
}

/** What an agent said to one request. */
export interface ConversationAnswer {
  readonly parts: readonly ConversationPart[]
  /** `stopped`: the user cancelled it. `failed`: the agent failed, or the server stopped. Only `complete` is a whole answer. */
  readonly status: 'complete' | 'stopped' | 'failed'
  /** Epoch milliseconds of its end. */
  readonly at: number
  /** The same answer in the form of the model's vendor, with what no part shows, such as encrypted reasoning. Never sent to a page. Absent: none */
  readonly model?: ModelRecord | undefined
}

/** One request and its answer. Plain JSON. */
export interface ConversationTurn {
  /** The id of the request. */
  readonly id: string
  /** The request it followed on the page. Absent: it was the first, or the client did not say. */
  readonly after?: string | undefined
  /** Requests that the page showed no longer from this one on. */
  readonly replaces: readonly string[]
  /** What the user said. */
  readonly text: string
  /** Files that went with it; a bare string is the id of an uploaded one. Absent: none. */
  readonly files?: readonly (string | Attachment)[] | undefined
  /** What the page sent with it. Absent: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** Epoch milliseconds. */
  readonly at: number
  /** Absent: the agent has not ended, or its process died. */
  readonly answer?: ConversationAnswer | undefined
}

/** A conversation as it is in a list. */
export interface ConversationEntry {
  readonly id: string
  readonly title: string
  /** Epoch milliseconds of its first turn. */
  readonly createdAt: number
  /** Epoch milliseconds of its last turn, or of the last answer. */
  readonly updatedAt: number
}

/**
 * Where conversations are kept. Six functions over plain data: `memoryConversationStore`, `redisConversationStore` and
 * `sqlConversationStore` are ready, and `conversationStoreCases` of `capstan/testing` tests one of your own. Each function is
 * idempotent, since a call whose reply was lost is made again, and rejects when the store cannot be reached.
 */
export interface ConversationStore {
  /**
   * Adds a turn at the end, without its answer. `title` is that of a conversation that is new. A turn that is there already keeps
   * its place; its text is replaced and its answer removed, because the agent runs again.
   */
  begin(key: ConversationKey, turn: Omit<ConversationTurn, 'answer'>, title: string): Promise<void>
  /** Gives a turn its answer. Changes nothing where there is no such turn, because the conversation was removed. */
  finish(key: ConversationKey, turnId: string, answer: ConversationAnswer): Promise<void>
  /** All turns in the order in which they were begun, replaced ones too. Empty for a conversation that is unknown. */
  turns(key: ConversationKey): Promise<readonly ConversationTurn[]>
  /** The conversations of an owner, the latest first, at most `limit`. */
  list(owner: string, limit: number): Promise<readonly ConversationEntry[]>
  /** Gives a conversation another title. Changes nothing where there is none. */
  rename(key: ConversationKey, title: string): Promise<void>
  /** Deletes a conversation and all its turns. A turn that is begun afterwards makes it again. */
  remove(key: ConversationKey): Promise<void>
}
