import type { Lease } from '../../../seam/lease.ts'
import type { ArcpLease } from '../fold/arcp-state.ts'

/** A lease in neutral words. @param offsetMs what the clock of this device is ahead of the runtime's */
export function toLease(
  { permission: name, resource, operation: grants, expiresAt, state, reason }: ArcpLease,
  offsetMs: number,
): Lease {
  const end = Date.parse(expiresAt)
  // One that was declared with its job names no operation, and is never changed.
  const canChange = grants !== ''
  return {
    name,
    resource,
    grants,
    until: Number.isNaN(end) ? undefined : end + offsetMs,
    state: state === 'revoked' && reason === 'expired' ? 'expired' : state,
    canExtend: canChange,
    // Only a try tells whether the runtime takes it back.
    canRevoke: canChange,
  }
}
