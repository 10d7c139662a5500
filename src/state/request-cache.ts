import type { HistoryMessage, PromptReply } from '../seam/chat-input.ts'
import { undecidedPrompts } from './conversation/prompts.ts'
import type { AgentClient } from '../session/agent-client.ts'
import type { ChatOptions } from './chat-options.ts'
import type { ChatStore } from './chat-store.ts'
import type { LineageLog } from './conversation/lineage.ts'
import type { ChatMessage } from './conversation/message.ts'
import type { Run } from './run.ts'

/** Requests by id: a message that is sent again under its id goes out with the same words, not merely the same id. */
export interface RequestCache {
  /** The request of a run: made by the client once, and again only for another client. Rejects when the client cannot make it. */
  request(client: AgentClient, run: Run, store: Pick<ChatStore, 'conversation' | 'stateEdit'>): Promise<unknown>
  /** Keeps the request of a run that goes out. */
  set(client: AgentClient, run: Run, request: unknown): void
  delete(requestId: string): void
}

export function createRequestCache({ conversationId }: ChatOptions, lineage: LineageLog): RequestCache {
  const made = new Map<string, { readonly client: AgentClient; readonly request: unknown }>()
  return {
    async request(client, { requestId, outgoing }, { conversation: { messages }, stateEdit }) {
      const known = made.get(requestId)
      if (known?.client === client) return known.request
      const first = messages.findIndex((message) => message.requestId === requestId)
      const before = first === -1 ? messages : messages.slice(0, first)
      const hasQuestion = first === -1 || messages[first]?.role === 'user'
      const answers = answersIn(before)
      // A run without a message of its own carries answers, or asks the last message again.
      const isAnswering = answers.length > 0 || (!hasQuestion && before.at(-1)?.role === 'assistant')
      return client.createRequest({
        ...(isAnswering ? { text: '' } : outgoing),
        conversationId,
        requestId,
        lineage: lineage.of(requestId, messages),
        after: before.findLast(({ handle }) => handle !== undefined)?.handle,
        stateEdit,
        ...(answers.length > 0 ? { answers } : {}),
        ...(!hasQuestion && before.at(-1)?.role === 'user' ? { isRegeneration: true } : {}),
        get history() {
          return before.map(historyOf)
        },
      })
    },
    set: (client, { requestId }, request) => void made.set(requestId, { client, request }),
    delete: (requestId) => void made.delete(requestId),
  }
}

/** The answers that go out with the run after these messages. */
function answersIn(messages: readonly ChatMessage[]): readonly PromptReply[] {
  return undecidedPrompts(messages).flatMap(({ prompt }) => {
    const { answer, answerId, state, answeredBy } = prompt
    return state === 'sending' && answeredBy === 'next-run' && answer && answerId !== undefined
      ? [{ prompt, answer, answerId }]
      : []
  })
}

/** A message without what only the page has added. */
function historyOf({ id, role, parts, files, handle }: ChatMessage): HistoryMessage {
  return {
    id,
    role,
    files,
    ...(handle === undefined ? {} : { handle }),
    parts: parts.flatMap((part) => (part.type === 'gap' || part.type === 'warning' ? [] : part)),
  }
}
