import type { Lineage } from '../../seam/chat-input.ts'
import type { Conversation } from './conversation.ts'
import type { ChatMessage } from './message.ts'

/** Lineage of the runs for agents with a memory: what each run follows, and what the page no longer shows. */
export interface LineageLog {
  /** The conversation without the messages from `index` on. */
  cut(conversation: Conversation, index: number): Conversation
  /** Of a run whose messages are in the conversation. */
  of(requestId: string, messages: readonly ChatMessage[]): Lineage
  /** A request arrived: the agent knows what was dropped until then. */
  told(): void
}

export function createLineageLog(): LineageLog {
  /** Requests whose messages were removed and which no request that arrived has named. */
  const replaced = new Set<string>()
  return {
    cut({ messages }, index) {
      for (const { requestId } of messages.slice(index)) if (requestId !== undefined) replaced.add(requestId)
      return { messages: messages.slice(0, index), turn: undefined }
    },
    of(requestId, messages) {
      const first = messages.findIndex((message) => message.requestId === requestId)
      // An answer that is made again belongs to a question that was asked under another id.
      const question =
        messages[first]?.role === 'assistant'
          ? messages.slice(0, first).findLastIndex(({ role }) => role === 'user')
          : first
      const before = messages
        .slice(0, Math.max(0, question))
        .flatMap((message) => (message.status === 'not-sent' ? [] : (message.requestId ?? [])))
      return { rootRequestId: before[0], after: before.at(-1), replaces: [...replaced] }
    },
    told: () => replaced.clear(),
  }
}
