import type { DataTag, QueryFunction } from '@tanstack/react-query'
import type { Message } from '../state/message.ts'
import { withLiveErrors, withPlainErrors } from './plain-errors.ts'
import type { CapQueryKey } from './query-keys.ts'
import { queryKeys } from './query-keys.ts'

/** What a function that loads is told. */
export interface LoadContext {
  /** Aborts when nobody waits any more. */
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
  /** Whose conversations, or which of them: lists of different scopes do not mix. */
  readonly scope?: string | undefined
}

/** The conversations a person can go back to, whatever your store keeps of each. */
export function threadListQueryOptions<Thread>({ load, scope }: ThreadListQuery<Thread>): LoadQueryOptions<readonly Thread[]> {
  return {
    // The key carries the type of the data.
    queryKey: queryKeys.threads(scope) as DataTag<CapQueryKey, readonly Thread[]>,
    queryFn: ({ signal }) => load({ signal }),
  }
}

export interface ThreadHistoryQuery {
  readonly conversationId: string
  /** Reads the messages of the conversation, oldest first. */
  readonly load: (conversationId: string, context: LoadContext) => Promise<readonly Message[]>
}

export interface ThreadHistoryQueryOptions extends LoadQueryOptions<readonly Message[]> {
  readonly select: (messages: readonly Message[]) => readonly Message[]
}

/**
 * The messages of a conversation, for `initialMessages` of `useCapChat`. In the cache their errors are plain objects, so that
 * they survive dehydration and persisting; who reads the query gets AgentErrors.
 */
export function threadHistoryQueryOptions({ conversationId, load }: ThreadHistoryQuery): ThreadHistoryQueryOptions {
  return {
    // The key carries the type of the data.
    queryKey: queryKeys.history(conversationId) as DataTag<CapQueryKey, readonly Message[]>,
    queryFn: async ({ signal }) => withPlainErrors(await load(conversationId, { signal })),
    select: withLiveErrors,
  }
}
