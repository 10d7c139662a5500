'use client'
import type { UseMutationOptions, UseMutationResult } from '@tanstack/react-query'
import { useMutation } from '@tanstack/react-query'
import type { AgentError } from '../base/agent-error.ts'
import type { CapClient } from '../protocols/cap/client/cap-client.ts'
import type { ServiceRequestInput } from '../protocols/cap/schema/request.ts'
import type { ServiceResponse } from '../protocols/cap/schema/response.ts'
import { askForResponse } from './ask-for-response.ts'
import { useCapClient } from './use-cap-client.ts'

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
