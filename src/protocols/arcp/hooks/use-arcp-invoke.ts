'use client'
import { useMemo, useRef, useState } from 'react'
import type { AgentError } from '../../../base/agent-error.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import type { ArcpClient, ArcpJobHandle, ArcpResult } from '../client/arcp-client.ts'
import type { ArcpInvokeOptions } from '../client/arcp-connection.ts'
import { toArcpError } from '../errors.ts'
import type { ArcpJob } from '../fold/arcp-state.ts'
import type { StopResult } from '../../../session/agent-client.ts'
import type { ArcpHookOptions } from './arcp-provider.tsx'
import { useArcpClient } from './arcp-provider.tsx'
import { useArcpView } from './use-arcp-state.ts'

/** What {@link useArcpInvoke} returns. It is about the last invocation; earlier ones continue. */
export interface ArcpInvokeResult {
  /**
   * `submitted`: the runtime has not accepted the job yet. `cancelled`: the runtime has confirmed that the job has ended. `left`: it was
   * cancelled and the runtime has not confirmed it, so that the job may still be working. The last four are ends.
   */
  readonly status: 'idle' | 'submitted' | 'running' | 'completed' | 'failed' | 'cancelled' | 'left'
  /** The job, once it is accepted. */
  readonly job: ArcpJob | undefined
  /** What the tool gave. Undefined: it has not completed. */
  readonly result: ArcpResult | undefined
  /** Why it failed. */
  readonly error: AgentError | undefined
  /** Invokes the tool as a job. The handle's promises need not be used. @param given its arguments */
  invoke(given?: JsonObject, options?: ArcpInvokeOptions): ArcpJobHandle
  /** Asks the runtime to end the job. Undefined: nothing was invoked. Never rejects. */
  cancel(): Promise<StopResult> | undefined
  /** Forgets the invocation here; the job continues. */
  reset(): void
}

interface Invocation {
  readonly client: ArcpClient
  readonly tool: string
  readonly handle: ArcpJobHandle
  readonly jobId?: string | undefined
  readonly result?: ArcpResult | undefined
  readonly error?: AgentError | undefined
  readonly stop?: StopResult | undefined
}

/**
 * Invokes a tool, and shows what becomes of it. Unmounting ends nothing: the job continues, and `useArcpJob` shows it elsewhere.
 *
 * @example
 * ```tsx
 * import { useArcpInvoke } from 'capstan/react'
 *
 * export function Summarise({ url }: { url: string }) {
 *   const { invoke, status, result } = useArcpInvoke('summarise')
 *   return <button onClick={() => void invoke({ url })}>{status === 'completed' ? String(result?.value) : status}</button>
 * }
 * ```
 */
export function useArcpInvoke(tool: string, { client: given }: ArcpHookOptions = {}): ArcpInvokeResult {
  const client = useArcpClient(given, 'useArcpInvoke')
  const [invoked, setInvoked] = useState<Invocation>()
  // State is of the last render: the event that invokes may cancel, too.
  const current = useRef<Invocation | undefined>(undefined)
  const last = isOf(invoked, client, tool) ? invoked : undefined
  const job = useArcpView(client, ({ state }) => state.jobs.get(last?.jobId ?? ''))
  const actions = useMemo(
    () => ({
      invoke(args?: JsonObject, options?: ArcpInvokeOptions): ArcpJobHandle {
        const handle = client.invoke(tool, args, options)
        const note = (change: Partial<Invocation>): void =>
          setInvoked((before) => (before?.handle === handle ? { ...before, ...change } : before))
        current.current = { client, tool, handle }
        setInvoked(current.current)
        handle.accepted.then((jobId) => note({ jobId })).catch(() => {})
        handle.result.then(
          (result) => note({ result }),
          (cause: unknown) => note({ error: toArcpError(cause) }),
        )
        return handle
      },
      cancel(): Promise<StopResult> | undefined {
        if (!isOf(current.current, client, tool)) return undefined
        const { handle } = current.current
        return handle.cancel().then((stop) => {
          setInvoked((before) => (before?.handle === handle ? { ...before, stop } : before))
          return stop
        })
      },
      reset(): void {
        current.current = undefined
        setInvoked(undefined)
      },
    }),
    [client, tool],
  )
  const { result, error } = last ?? {}
  return { status: statusOf(last), job, result, error, ...actions }
}

/** What another client or tool was asked for is not what this one shows. */
function isOf(invoked: Invocation | undefined, client: ArcpClient, tool: string): invoked is Invocation {
  return invoked?.client === client && invoked.tool === tool
}

function statusOf(last: Invocation | undefined): ArcpInvokeResult['status'] {
  if (last === undefined) return 'idle'
  if (last.error?.agentCode === 'CANCELLED') return 'cancelled'
  if (last.error !== undefined) return last.stop === 'left' ? 'left' : 'failed'
  if (last.result !== undefined) return 'completed'
  return last.jobId === undefined ? 'submitted' : 'running'
}
