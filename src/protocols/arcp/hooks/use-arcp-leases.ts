'use client'
import { useMemo } from 'react'
import type { ArcpClient } from '../client/arcp-client.ts'
import type { CommandResult } from '../../../seam/command.ts'
import type { ArcpLease } from '../fold/arcp-state.ts'
import { toLease } from '../presentation/job-lease.ts'
import { refreshSeconds } from '../values/date-time.ts'
import type { LeaseControls } from '../../../react/use-leases.ts'
import { useNow } from '../../../react/use-now.ts'
import type { ArcpHookOptions } from './arcp-provider.tsx'
import { useArcpClient } from './arcp-provider.tsx'
import { commandResultOf } from './use-arcp-job.ts'
import { hasSameItems, useArcpView } from './use-arcp-state.ts'

export interface ArcpLeasesOptions extends ArcpHookOptions {
  /** Only those of this job. @default those of all jobs */
  readonly jobId?: string | undefined
  /** Also those that have ended, whose state says how. @default false */
  readonly ended?: boolean | undefined
}

const EVERY_MS = 1000

/**
 * What the user has allowed jobs for a time, oldest first, with the ways to extend it, until its job has ended, and to take it back. Renders again every second
 * while one has a time limit; nothing is asked of the runtime. Only the runtime says that a lease has ended.
 *
 * @example
 * ```tsx
 * import { useArcpLeases } from 'capstan/react'
 * import { LeaseBadge } from 'capstan/components'
 *
 * export const Allowed = () =>
 *   useArcpLeases().map(({ id, lease, remainingMs, revoke }) => (
 *     <LeaseBadge key={id} name={lease.name} remainingMs={remainingMs} onRevoke={() => void revoke?.()} />
 *   ))
 * ```
 */
export function useArcpLeases({
  client: given,
  jobId,
  ended = false,
}: ArcpLeasesOptions = {}): readonly LeaseControls[] {
  const client = useArcpClient(given, 'useArcpLeases')
  const leases = useArcpView(
    client,
    ({ state }) =>
      [...state.leases.values()].filter(
        (lease) => (jobId === undefined || lease.jobId === jobId) && (ended || lease.state === 'active'),
      ),
    hasSameItems,
  )
  const areNeeded = useArcpView(
    client,
    ({ state }) => leases.map(({ jobId: owner = '' }) => state.jobs.get(owner)?.endedAt === undefined),
    hasSameItems,
  )
  const { clock } = client.runs.environment
  useNow(
    leases.some(({ state }) => state === 'active'),
    EVERY_MS,
    clock,
  )
  const changes = useMemo(
    () => leases.map((lease, at) => changesOf(client, lease, areNeeded[at] === true)),
    [client, leases, areNeeded],
  )
  return leases.flatMap((asked, at): LeaseControls[] => {
    const lease = toLease(asked, client.clockOffsetMs)
    const remainingMs = lease.until === undefined ? undefined : Math.max(0, lease.until - clock.date())
    const change = changes[at]
    return change === undefined ? [] : [{ id: asked.id, lease, remainingMs, ...change }]
  })
}

/** @param isNeeded the job that it is for continues */
function changesOf(client: ArcpClient, lease: ArcpLease, isNeeded: boolean): Pick<LeaseControls, 'extend' | 'revoke'> {
  const { id, state } = lease
  if (state !== 'active' || !toLease(lease, 0).canExtend) return { extend: undefined, revoke: undefined }
  const refresh = async (ms: number): Promise<CommandResult> => {
    const now = client.runs.environment.clock.date() - client.clockOffsetMs
    await client.refreshLease(id, refreshSeconds(lease.expiresAt, ms, now))
    return { result: 'accepted' }
  }
  return {
    extend: isNeeded ? (ms) => commandResultOf(refresh(ms), '') : undefined,
    revoke: () => commandResultOf(client.revokeLease(id), 'This runtime does not let leases be given back.'),
  }
}
