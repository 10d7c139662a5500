import { CapClient, createChat, type ChatMessage } from '../../src/index.ts'
import { createAgentHandler, type AgentOutput, type AgentRun } from '../../src/server.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import type { Prompt } from '../../src/seam/prompt.ts'

export interface ModelPage<End> {
  readonly chat: ReturnType<typeof createChat>
  /** What `onError` of the handler got. */
  readonly reported: readonly unknown[]
  /** What the helper returned. */
  readonly ends: readonly End[]
  /** The last answer. */
  answer(): ChatMessage
  /** The first question of the last answer. */
  prompt(): Prompt | undefined
}

/** A page with a chat, and an agent that says what a model helper says, behind the real handler. */
export function openModelPage<End>(
  say: (run: AgentRun) => AsyncGenerator<AgentOutput, End> | Promise<AsyncGenerator<AgentOutput, End>>,
): ModelPage<End> {
  const reported: unknown[] = []
  const ends: End[] = []
  const handler = createAgentHandler({
    agent: async function* (_request, run) {
      ends.push(yield* await say(run))
    },
    onError: (error) => reported.push(error),
  })
  const client = new CapClient({
    baseUrl: 'https://agent.test',
    fetch: async (url, init) => handler(new Request(url, init)),
  })
  const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
  const answer = (): ChatMessage => {
    const message = chat.getSnapshot().messages.findLast(({ role }) => role === 'assistant')
    if (message === undefined) throw new Error('There is no answer.')
    return message
  }
  return { chat, reported, ends, answer, prompt: () => promptsOf(answer())[0] }
}

/** The first call of a tool in an answer. */
export function toolCall({ parts }: ChatMessage): ChatMessage['parts'][number] | undefined {
  return parts.find(({ type }) => type === 'tool-call')
}

export interface Limit {
  /** The signal of a run with a limit for the model, as an app sets one. */
  readonly signalOf: (signal: AbortSignal) => AbortSignal
  /** The time has expired. */
  expire(): void
}

export function createLimit(): Limit {
  const limit = new AbortController()
  return {
    signalOf: (signal) => AbortSignal.any([signal, limit.signal]),
    expire: () => limit.abort(new DOMException('The time is over.', 'TimeoutError')),
  }
}
