'use client'
import { useContext, useEffect, useMemo, useState } from 'react'
import { assertSettled } from '../../../base/assert-options.ts'
import type { CapClient } from '../client/cap-client.ts'
import { prepareRequest } from '../assert-request.ts'
import type { ServiceRequestInput } from '../schema/request.ts'
import type { ServiceResponse } from '../schema/response.ts'
import type { CapPacket } from '../read/usual-packet.ts'
import type { AgentClient } from '../../../session/agent-client.ts'
import type { AssistSnapshot } from '../../../state/assist.ts'
import { createAssist } from '../../../state/assist.ts'
import { type SendResult, resultOf } from '../../../state/chat-options.ts'
import { AgentContext, missingClient } from '../../../react/agent-provider.tsx'
import { useLatest } from '../../../react/use-latest.ts'
import { useTracked } from '../../../react/use-agent-chat.ts'

export interface CapAssistOptions {
  /** Another client than the provider's. @default the provider's */
  readonly client?: CapClient | undefined
  /**
   * Runs immediately, and again whenever its `request_id` changes. Absent: nothing is sent before `assist` is
   * called.
   */
  readonly request?: ServiceRequestInput | undefined
  /** Called with each packet as it comes, once. Absent: not called. */
  readonly onPacket?: ((packet: CapPacket) => void) | undefined
}

export interface CapAssist extends AssistSnapshot<CapPacket> {
  /** The ServiceResponse, when the agent answered with JSON in place of a stream. */
  readonly response: ServiceResponse | undefined
  /** Sends a full ServiceRequest, ending the run before. Resolves with `accepted` when the run has ended, and with `refused` (`invalid_request`, or `invalid_config` for a promise) when nothing was sent. It does not reject. */
  assist(request: ServiceRequestInput): Promise<SendResult>
  stop(): Promise<void>
}

/**
 * The strict hook: a whole ServiceRequest in, validated packets, events, text and response out. Unmounting ends the
 * run.
 *
 * @example
 * ```tsx
 * import type { ServiceRequestInput } from 'capstan'
 * import { useCapAssist } from 'capstan/react'
 *
 * export function Answer({ request }: { request: ServiceRequestInput }) {
 *   const { text, status } = useCapAssist({ request })
 *   return <p aria-busy={status === 'streaming'}>{text}</p>
 * }
 * ```
 */
export function useCapAssist(options: CapAssistOptions = {}): CapAssist {
  const provided = useContext(AgentContext)
  // A provider's client is a CAP client wherever CAP hooks are used; its protocol's name is checked below.
  const client = options.client ?? (provided?.client as AgentClient<ServiceRequestInput, CapPacket> | undefined)
  if (client === undefined) throw missingClient('useCapAssist')
  assertSettled('client', client)
  assertSettled('request', options.request)
  if (client.protocol.name !== 'CAP')
    throw new Error(`useCapAssist needs a CapClient, and this client speaks ${client.protocol.name}.`)

  const latest = useLatest({ client, onPacket: options.onPacket })
  const [store] = useState(() => {
    const assist = createAssist<ServiceRequestInput, CapPacket>({
      client: () => latest.current.client,
      prepare: prepareRequest,
      onPacket: (packet) => latest.current.onPacket?.(packet),
    })
    return { ...assist, cancelLeaving: (): void => {} }
  })

  const { clock } = client.environment
  const { request } = options
  const latestRequest = useLatest(request)
  const requestId = request?.request_id
  useEffect(() => {
    const asked = latestRequest.current
    // The id says whether it is the same run: a remount in StrictMode finds it under way and starts no second.
    if (asked !== undefined && store.getSnapshot().requestId !== requestId) {
      void resultOf(store.start(asked, asked.request_id))
    }
  }, [store, requestId, latestRequest])
  useEffect(() => {
    store.cancelLeaving()
    return () => {
      store.cancelLeaving = clock.after(0, () => void store.stop())
    }
  }, [store, clock])

  const snapshot = useTracked(store)
  return useMemo(() => {
    const actions = {
      assist: (given: ServiceRequestInput): Promise<SendResult> => resultOf(store.start(given, given.request_id)),
      stop: store.stop,
    }
    // Descriptors, not values: copying the fields must not count as reading them. The response is a ServiceResponse because the client speaks CAP.
    return Object.defineProperties({ ...actions }, Object.getOwnPropertyDescriptors(snapshot)) as typeof actions &
      AssistSnapshot<CapPacket> & { readonly response: ServiceResponse | undefined }
  }, [store, snapshot])
}
