import { assertSettled } from '../base/assert-settled.ts'
import type { CapClient } from '../protocols/cap/client/cap-client.ts'
import type { ServiceRequestInput } from '../protocols/cap/schema/request.ts'
import type { ServiceResponse } from '../protocols/cap/schema/response.ts'
import { askForResponse } from './ask-for-response.ts'
import { queryKeys } from './query-keys.ts'
import type { RunQueryOptions } from './run-query-options.ts'
import { runQueryOptions } from './run-query-options.ts'

export interface AssistQuery {
  readonly client: CapClient
  /** Its `request_id` names the query: the same id is the same run, here and at the agent. Keep it over renders. */
  readonly request: ServiceRequestInput
}

/**
 * The ServiceResponse of an agent that answers with JSON. Cancelling the query ends the run. Fails with an AgentError,
 * after the attempts of the client; with code `unexpected_content_type` when the agent streams.
 *
 * @example
 * ```tsx
 * import { useQuery } from '@tanstack/react-query'
 * import { assistQueryOptions, type AssistQuery } from 'capstan/query'
 *
 * export function Summary(query: AssistQuery) {
 *   const { data, error } = useQuery(assistQueryOptions(query))
 *   return <p>{error ? error.code : String(data?.output['text'] ?? '')}</p>
 * }
 * ```
 */
export function assistQueryOptions({ client, request }: AssistQuery): RunQueryOptions<ServiceResponse> {
  assertSettled('client', client)
  assertSettled('request', request)
  return runQueryOptions(queryKeys.assist(request.request_id), ({ signal }) => askForResponse(client, request, signal))
}
