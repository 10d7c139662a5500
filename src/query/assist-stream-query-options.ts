import type { QueryFunctionContext } from '@tanstack/react-query'
import { assertSettled } from '../base/assert-settled.ts'
import { prepareRequest } from '../protocols/cap/assert-request.ts'
import type { ServiceRequestInput } from '../protocols/cap/schema/request.ts'
import type { ServiceResponse } from '../protocols/cap/schema/response.ts'
import type { CapPacket } from '../protocols/cap/read/wire-packet.ts'
import type { AssistSnapshot } from '../state/assist.ts'
import { createAssist } from '../state/assist.ts'
import type { AssistQuery } from './assist-query-options.ts'
import type { CapQueryKey } from './query-keys.ts'
import { queryKeys } from './query-keys.ts'
import type { RunQueryOptions } from './run-query-options.ts'
import { runQueryOptions } from './run-query-options.ts'

/** An answer as far as it has come. Plain data: it can be dehydrated and persisted. */
export interface AssistAnswer {
  readonly requestId: string
  /** All text so far, over all streams. */
  readonly text: string
  /** The packets so far, each once and in order; of the newest generation when the agent began again. */
  readonly packets: readonly CapPacket[]
  /** The ServiceResponse, when the agent answered with JSON in place of a stream. */
  readonly response?: ServiceResponse | undefined
  /**
   * `complete`: the agent has said that it is done. `stopped`: the query was cancelled on the way, and stays so until it is
   * fetched again. `streaming`: there is more to come. It is not requested while no component shows the answer, or after a failure.
   */
  readonly status: 'streaming' | 'stopped' | 'complete'
}

export interface AssistStreamQueryOptions extends Omit<RunQueryOptions<AssistAnswer>, 'staleTime'> {
  /** An answer that was left in its middle goes on where it is shown again; any other is never stale. */
  readonly staleTime: (query: { readonly state: { readonly data: AssistAnswer | undefined } }) => number
  /** Packets are never equal to others: comparing all of them at every word would take longer than the words. */
  readonly structuralSharing: false
}

/**
 * An answer that grows in the cache, at most once a frame. The query is pending until the first packet, `fetching`
 * until the last. `cancelQueries` leaves the connection and keeps what had come, and
 * the agent works on; fetching again resumes the answer. When the last
 * component that reads it goes, the connection is left; when one comes back, the answer goes on. Fails with an AgentError,
 * after the attempts of the client.
 *
 * @example
 * ```tsx
 * import { useQuery } from '@tanstack/react-query'
 * import { assistStreamQueryOptions, type AssistQuery } from 'capstan/query'
 *
 * export function Summary(query: AssistQuery) {
 *   const { data, fetchStatus } = useQuery(assistStreamQueryOptions(query))
 *   return <p aria-busy={fetchStatus === 'fetching'}>{data?.text}</p>
 * }
 * ```
 */
export function assistStreamQueryOptions({ client, request }: AssistQuery): AssistStreamQueryOptions {
  assertSettled('client', client)
  assertSettled('request', request)
  const options = runQueryOptions<AssistAnswer>(queryKeys.stream(request.request_id), (context) =>
    growAnswer({ client, request }, context),
  )
  return {
    ...options,
    staleTime: ({ state }) => (state.data?.status === 'streaming' ? 0 : Infinity),
    structuralSharing: false,
  }
}

async function growAnswer(
  { client, request }: AssistQuery,
  { client: cache, queryKey, signal }: QueryFunctionContext<CapQueryKey>,
): Promise<AssistAnswer> {
  const write = (status: AssistAnswer['status']) =>
    cache.setQueryData<AssistAnswer>(queryKey, (shown) => shown && { ...shown, status })
  // What an attempt before this one had shown stays until this one has come as far.
  const least = write('streaming')?.packets.length ?? 1
  const assist = createAssist<ServiceRequestInput, CapPacket>({ client: () => client, prepare: prepareRequest })
  const unsubscribe = assist.subscribe(() => {
    const snapshot = assist.getSnapshot()
    if (!signal.aborted && snapshot.packets.length >= least)
      cache.setQueryData(queryKey, answerOf(snapshot, request, 'streaming'))
  })
  const leave = (): void => {
    // Without a component that shows it, the answer goes on where one comes back.
    if (cache.getQueryCache().find({ queryKey, exact: true })?.isActive()) write('stopped')
    assist.disconnect()
  }
  signal.addEventListener('abort', leave)
  try {
    await assist.start(request, request.request_id)
  } finally {
    signal.removeEventListener('abort', leave)
    unsubscribe()
  }
  signal.throwIfAborted()
  const snapshot = assist.getSnapshot()
  if (snapshot.error !== undefined) throw snapshot.error
  return answerOf(snapshot, request, 'complete')
}

function answerOf(
  { text, packets, response }: AssistSnapshot<CapPacket>,
  { request_id: requestId }: ServiceRequestInput,
  status: AssistAnswer['status'],
): AssistAnswer {
  // The client speaks CAP: in place of a stream there is a validated ServiceResponse.
  return { requestId, text, packets, ...(response !== undefined && { response: response as ServiceResponse }), status }
}
