import type { Lineage } from '../protocols/protocol.ts'
import type { Conversation } from './conversation.ts'
import type { Message } from './message.ts'

/** What an agent that keeps a conversation has to be told of it: what each run follows, and what the page no longer shows. */
export interface LineageLog {
  /** The conversation without what stands at `index` and after it. */
  cut(conversation: Conversation, index: number): Conversation
  /** Of a run whose messages stand in the conversation. */
  of(requestId: string, messages: readonly Message[]): Lineage
  /** A request arrived: the agent knows what was dropped until then. */
  told(): void
}

export function createLineageLog(): LineageLog {
  /** Requests whose messages were dropped, and of which no request that arrived has told. */
  const replaced = new Set<string>()
  return {
    cut({ messages }, index) {
      for (const { requestId } of messages.slice(index)) if (requestId !== undefined) replaced.add(requestId)
      return { messages: messages.slice(0, index), turn: undefined }
    },
    of(requestId, messages) {
      const first = messages.findIndex((message) => message.requestId === requestId)
      // An answer that is made anew belongs to a question that was asked under another id.
      const question = messages[first]?.role === 'assistant' ? messages.slice(0, first).findLastIndex(({ role }) => role === 'user') : first
      const before = messages.slice(0, Math.max(0, question)).flatMap((message) => (message.status === 'not-sent' ? [] : (message.requestId ?? [])))
      return { rootRequestId: before[0], after: before.at(-1), replaces: [...replaced] }
    },
    told: () => replaced.clear(),
  }
}
