import type { QueryFunctionContext } from '@tanstack/react-query'
import { assertServiceRequest } from '../protocols/cap/assert-request.ts'
import type { ServiceRequestInput } from '../protocols/cap/request.ts'
import type { ServiceResponse } from '../protocols/cap/response.ts'
import type { CapPacket } from '../protocols/cap/wire-packet.ts'
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
  /** The agent has said that it is done. False while the answer grows, and when it was cancelled or failed on the way. */
  readonly complete: boolean
}

export interface AssistStreamQueryOptions extends RunQueryOptions<AssistAnswer> {
  /** Packets are never equal to others: comparing all of them at every word would take longer than the words. */
  readonly structuralSharing: false
}

/**
 * An answer that grows in the cache, at most once a frame. The query is pending until the first packet, `fetching` until the
 * last. Cancelling, by `cancelQueries` or with the last component that reads it, ends the run; what had come stays, not
 * `complete`, and asking again takes the answer up. Fails with an AgentError, after the attempts of the client.
 */
export function assistStreamQueryOptions({ client, request }: AssistQuery): AssistStreamQueryOptions {
  const options = runQueryOptions<AssistAnswer>(queryKeys.stream(request.request_id), (context) => growAnswer({ client, request }, context))
  return { ...options, structuralSharing: false }
}

async function growAnswer({ client, request }: AssistQuery, { client: cache, queryKey, signal }: QueryFunctionContext<CapQueryKey>): Promise<AssistAnswer> {
  // What an attempt before this one had shown stays until this one has come as far.
  const shown = cache.getQueryData<AssistAnswer>(queryKey)?.packets.length ?? 1
  const assist = createAssist<ServiceRequestInput, CapPacket>({ client: () => client, check: (given) => assertServiceRequest(given) })
  const stop = (): void => void assist.stop()
  const unsubscribe = assist.subscribe(() => {
    const snapshot = assist.getSnapshot()
    if (!signal.aborted && snapshot.packets.length >= shown) cache.setQueryData(queryKey, answerOf(snapshot, request, false))
  })
  signal.addEventListener('abort', stop)
  try {
    await assist.start(request, request.request_id)
  } finally {
    signal.removeEventListener('abort', stop)
    unsubscribe()
  }
  const snapshot = assist.getSnapshot()
  if (snapshot.error !== undefined) throw snapshot.error
  return answerOf(snapshot, request, !signal.aborted)
}

function answerOf({ text, packets, response }: AssistSnapshot<CapPacket>, { request_id: requestId }: ServiceRequestInput, complete: boolean): AssistAnswer {
  // The client speaks CAP: what stands in the place of a stream is a validated ServiceResponse.
  return { requestId, text, packets, ...(response !== undefined && { response: response as ServiceResponse }), complete }
}
