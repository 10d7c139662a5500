'use client'

import { useQuery, type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useCallback, useContext } from 'react'
import type { AgentError } from '../base/agent-error.ts'
import type { CapClient } from '../protocols/cap/client/cap-client.ts'
import type { HealthCheckResponse, ServiceResponse } from '../protocols/cap/schema/response.ts'
import { healthQueryOptions, askForResponse } from './query-options.ts'
import type { ServiceRequestInput } from '../protocols/cap/schema/request.ts'
import { assertSettled } from '../base/assert-options.ts'
import { AgentContext, missingClient } from '../react/agent-provider.tsx'

export interface CapHealthOptions {
  /** Another client than the provider's. @default the provider's */
  readonly client?: CapClient | undefined
  /** Names the agent in the cache; see `healthQueryOptions`. @default a name of the client's own */
  readonly agent?: string | undefined
  /**
   * Milliseconds between two requests while the page is visible. False: asked once, and when the page comes back to the
   * front.
   *
   * @default 30_000
   */
  readonly intervalMs?: number | false | undefined
  /** False: do not ask. @default true */
  readonly enabled?: boolean | undefined
}

/** How an agent fares, as `HealthBadge` takes it. */
export interface CapHealth {
  /** `ok`, `degraded` (slow, or in part), `maintenance` (away on purpose); `unknown` before the first answer and when there was none. */
  readonly status: HealthCheckResponse['status'] | 'unknown'
  /** The whole of the last answer. */
  readonly health: HealthCheckResponse | undefined
  /** When that answer came, in epoch milliseconds. */
  readonly checkedAt: number | undefined
  /** The last answer is all there is: asking again failed, or waits for the network. */
  readonly stale: boolean
  /** Why asking failed the last time. */
  readonly error: AgentError | null
  /** Asks now. Never rejects. */
  check(): Promise<void>
}

const EVERY_MS = 30_000

/**
 * Asks `GET /health` again and again, once for all components that show the same agent. A hidden page does not ask.
 *
 * @example
 * ```tsx
 * import { HealthBadge } from 'capstan/components'
 * import { useCapHealth } from 'capstan/query'
 *
 * export function Health() {
 *   const { status, checkedAt, stale } = useCapHealth({ intervalMs: 60_000 })
 *   return <HealthBadge status={status} checkedAt={checkedAt} stale={stale} />
 * }
 * ```
 */
export function useCapHealth({
  client,
  agent,
  intervalMs = EVERY_MS,
  enabled = true,
}: CapHealthOptions = {}): CapHealth {
  const asked = useCapClient('useCapHealth', client)
  const { data, dataUpdatedAt, error, fetchStatus, refetch } = useQuery({
    ...healthQueryOptions({ client: asked, agent }),
    refetchInterval: intervalMs,
    // A further component, or the answer of the server, does not ask before its time.
    staleTime: intervalMs === false ? 0 : intervalMs,
    enabled,
  })
  const check = useCallback(async () => {
    await refetch()
  }, [refetch])
  return {
    status: data?.status ?? 'unknown',
    health: data,
    checkedAt: data === undefined ? undefined : dataUpdatedAt,
    stale: data !== undefined && (error !== null || fetchStatus === 'paused'),
    error,
    check,
  }
}

export interface CapMutationOptions<Context = unknown> extends Omit<
  UseMutationOptions<ServiceResponse, AgentError, ServiceRequestInput, Context>,
  'mutationFn' | 'retry' | 'retryDelay' | 'networkMode'
> {
  /** Another client than the provider's. @default the provider's */
  readonly client?: CapClient | undefined
}

/**
 * Asks an agent to do something and takes its JSON answer: `mutate(request)`. The client makes the attempts, with the
 * request id of the request on each, so that an agent does once what it is asked twice. Fails with an AgentError.
 *
 * @example
 * ```tsx
 * import type { ServiceRequestInput } from 'capstan'
 * import { useCapMutation } from 'capstan/query'
 *
 * export function Archive({ request }: { request: ServiceRequestInput }) {
 *   const { mutate, isPending } = useCapMutation()
 *   return <button disabled={isPending} onClick={() => mutate(request)}>Archive</button>
 * }
 * ```
 */
export function useCapMutation<Context = unknown>({
  client,
  ...options
}: CapMutationOptions<Context> = {}): UseMutationResult<ServiceResponse, AgentError, ServiceRequestInput, Context> {
  const asked = useCapClient('useCapMutation', client)
  return useMutation({
    ...options,
    mutationFn: (request) => askForResponse(asked, request),
    retry: false,
    networkMode: 'always',
  })
}

/** The client a hook was given, or else the provider's. @throws Error when there is none that speaks CAP */
export function useCapClient(hook: string, given: CapClient | undefined): CapClient {
  const provided = useContext(AgentContext)?.client
  const client = given ?? provided
  if (client === undefined) throw missingClient(hook)
  assertSettled('client', client)
  if (client.protocol.name !== 'CAP')
    throw new Error(`${hook} needs a CapClient, and this client speaks ${client.protocol.name}.`)
  // Every client with the CAP protocol is a CapClient.
  return client as CapClient
}
