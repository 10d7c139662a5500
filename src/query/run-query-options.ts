import type { DataTag, QueryFunction } from '@tanstack/react-query'
import type { AgentError } from '../base/agent-error.ts'
import type { CapQueryKey } from './query-keys.ts'

/** Options of a query that asks an agent: for `useQuery`, `useSuspenseQuery`, `prefetchQuery` and the rest. Add to them by spreading. */
export interface AgentQueryOptions<Data> {
  readonly queryKey: DataTag<CapQueryKey, Data, AgentError>
  readonly queryFn: QueryFunction<Data, CapQueryKey>
  /** Never: the client has already made its attempts when the query fails. */
  readonly retry: (failures: number, error: AgentError) => boolean
}

/** Options of a query whose answer belongs to one request id: fetched once, and again only on request. */
export interface RunQueryOptions<Data> extends AgentQueryOptions<Data> {
  readonly staleTime: number
  readonly refetchOnWindowFocus: false
  readonly refetchOnReconnect: false
  /** The client itself waits for the network. */
  readonly networkMode: 'always'
}

export const noRetry = (_failures: number, _error: AgentError): boolean => false

/** What all queries of one run have in common. The key carries the type of the data, which is what the cast adds. */
export function runQueryOptions<Data>(
  queryKey: CapQueryKey,
  queryFn: QueryFunction<Data, CapQueryKey>,
): RunQueryOptions<Data> {
  return {
    queryKey: queryKey as DataTag<CapQueryKey, Data, AgentError>,
    async queryFn(context) {
      // StrictMode unmounts a first mount immediately: it must not cost a request.
      await Promise.resolve()
      context.signal.throwIfAborted()
      return queryFn(context)
    },
    retry: noRetry,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    networkMode: 'always',
  }
}
