import type { DataTag } from '@tanstack/react-query'
import type { AgentError } from '../base/agent-error.ts'
import { assertSettled } from '../base/assert-settled.ts'
import type { CapClient } from '../protocols/cap/client/cap-client.ts'
import type { HealthCheckResponse } from '../protocols/cap/schema/response.ts'
import type { CapQueryKey } from './query-keys.ts'
import { queryKeys } from './query-keys.ts'
import type { AgentQueryOptions } from './run-query-options.ts'
import { noRetry } from './run-query-options.ts'

export interface HealthQuery {
  readonly client: CapClient
  /**
   * Names the agent in the cache. Needed when the server has asked already and the page is to know it.
   *
   * @default a name of the client's own
   */
  readonly agent?: string | undefined
}

export type HealthQueryOptions = AgentQueryOptions<HealthCheckResponse>

/**
 * `GET /health`, once. For a page that keeps asking there is `useCapHealth`. Fails with an AgentError.
 *
 * @example
 * ```tsx
 * import { useQuery } from '@tanstack/react-query'
 * import type { CapClient } from 'capstan'
 * import { healthQueryOptions } from 'capstan/query'
 *
 * export function Health({ client }: { client: CapClient }) {
 *   const { data } = useQuery(healthQueryOptions({ client }))
 *   return <p>{data?.status ?? 'unknown'}</p>
 * }
 * ```
 */
export function healthQueryOptions({ client, agent = nameOf(client) }: HealthQuery): HealthQueryOptions {
  assertSettled('client', client)
  return {
    // The key carries the type of the data.
    queryKey: queryKeys.health(agent) as DataTag<CapQueryKey, HealthCheckResponse, AgentError>,
    queryFn: ({ signal }) => client.health({ signal }),
    retry: noRetry,
  }
}

const names = new WeakMap<CapClient, string>()
let named = 0

/** Two clients without a name must never read each other's answer. */
function nameOf(client: CapClient): string {
  const name = names.get(client) ?? `client ${(named += 1)}`
  names.set(client, name)
  return name
}
