import type { DataTag, QueryFunction } from '@tanstack/react-query'
import type { ChatMessage } from '../state/conversation/message.ts'
import { withLiveErrors, withPlainErrors } from './plain-errors.ts'
import type { CapQueryKey } from './query-keys.ts'
import { queryKeys } from './query-keys.ts'

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
