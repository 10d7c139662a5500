import type { DataTag, QueryFunction } from '@tanstack/react-query'
import type { ChatMessage, MessagePart } from '../state/conversation/message.ts'
import { type CapQueryKey, queryKeys } from './query-keys.ts'
import { AgentError, errorInit, isAgentError } from '../base/agent-error.ts'

/** Arguments of a function that loads. */
export interface LoadContext {
  /** Aborts when the result is no longer needed. */
  readonly signal: AbortSignal
}

/** Options of a query that reads from a store of the app. Retries, staleness and the rest are those of your QueryClient; add to them by spreading. */
export interface LoadQueryOptions<Data> {
  readonly queryKey: DataTag<CapQueryKey, Data>
  readonly queryFn: QueryFunction<Data, CapQueryKey>
}

export interface ThreadListQuery<Thread> {
  /** Reads the conversations, in the order in which they are shown. */
  readonly load: (context: LoadContext) => Promise<readonly Thread[]>
  /**
   * Whose conversations, or which of them: lists of different scopes do not mix. Absent: lists of this kind share one
   * entry of the cache.
   */
  readonly scope?: string | undefined
}

/**
 * The conversations a user can go back to, whatever your store keeps of each.
 *
 * @example
 * ```tsx
 * import { useQuery } from '@tanstack/react-query'
 * import { threadListQueryOptions } from 'capstan/query'
 *
 * const load = async (): Promise<{ id: string; title: string }[]> => (await fetch('/api/threads')).json()
 * export function Titles() {
 *   const { data = [] } = useQuery(threadListQueryOptions({ load }))
 *   return data.map(({ id, title }) => <p key={id}>{title}</p>)
 * }
 * ```
 */
export function threadListQueryOptions<Thread>({
  load,
  scope,
}: ThreadListQuery<Thread>): LoadQueryOptions<readonly Thread[]> {
  return {
    // The key carries the type of the data.
    queryKey: queryKeys.threads(scope) as DataTag<CapQueryKey, readonly Thread[]>,
    queryFn: ({ signal }) => load({ signal }),
  }
}

export interface ThreadHistoryQuery {
  readonly conversationId: string
  /** Reads the messages of the conversation, oldest first. */
  readonly load: (conversationId: string, context: LoadContext) => Promise<readonly ChatMessage[]>
}

export interface ThreadHistoryQueryOptions extends LoadQueryOptions<readonly ChatMessage[]> {
  readonly select: (messages: readonly ChatMessage[]) => readonly ChatMessage[]
}

/**
 * The messages of a conversation, for `initialMessages` of `useCapChat`. In the cache their errors are plain objects,
 * so that they survive dehydration and persisting; the query returns `AgentError`s.
 *
 * @example
 * ```tsx
 * import { useSuspenseQuery } from '@tanstack/react-query'
 * import type { ChatMessage } from 'capstan'
 * import { threadHistoryQueryOptions } from 'capstan/query'
 *
 * const load = async (id: string): Promise<ChatMessage[]> => (await fetch(`/api/threads/${id}`)).json()
 * export function useHistory(conversationId: string) {
 *   return useSuspenseQuery(threadHistoryQueryOptions({ conversationId, load })).data
 * }
 * ```
 */
export function threadHistoryQueryOptions({ conversationId, load }: ThreadHistoryQuery): ThreadHistoryQueryOptions {
  return {
    // The key carries the type of the data.
    queryKey: queryKeys.history(conversationId) as DataTag<CapQueryKey, readonly ChatMessage[]>,
    queryFn: async ({ signal }) => withPlainErrors(await load(conversationId, { signal })),
    select: withLiveErrors,
  }
}

/**
 * Messages whose errors are plain objects: what crosses from a server to a page, or rests in a store, as JSON. A message
 * without errors stays the same object. Causes are left out: they are of the machine they arose on.
 */
function withPlainErrors(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  // Plain in the cache only: withLiveErrors is applied before anybody reads them.
  return mapErrors(messages, (error) =>
    isAgentError(error) ? ({ ...errorInit(error), cause: undefined } as AgentError) : error,
  )
}

/** The same with AgentErrors again. */
function withLiveErrors(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  // What is no AgentError here was made plain by withPlainErrors, or by JSON on its way.
  return mapErrors(messages, (error) => (isAgentError(error) ? error : new AgentError(error)))
}

function mapErrors(
  messages: readonly ChatMessage[],
  change: (error: AgentError) => AgentError,
): readonly ChatMessage[] {
  return messages.map((message) => {
    const warns = message.parts.some((part) => part.type === 'warning')
    if (message.error === undefined && !warns) return message
    const parts = message.parts.map((part): MessagePart =>
      part.type === 'warning' ? { ...part, error: change(part.error) } : part,
    )
    return { ...message, parts, ...(message.error && { error: change(message.error) }) }
  })
}
