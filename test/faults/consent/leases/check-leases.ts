import { promise } from '../promise.ts'
import type { ToolCall } from './lease-tool.ts'

/** What the user was given to understand, and when: nothing is done under this lease, or by the tool, from then on. */
export interface LeaseClaim {
  /** Absent: the whole tool has ended. */
  readonly leaseId?: string | undefined
  readonly at: number
  readonly by: string
}

/** The reported end of a lease or a run is reliable, and there are no effects without permission. */
export function checkLeases(calls: readonly ToolCall[], claims: readonly LeaseClaim[], grants: number): void {
  const used = calls.filter(({ uses }) => uses.length > 0)
  promise(calls.length <= 1, () => `The tool was called ${calls.length} times.`)
  promise(used.length === 0 || grants > 0, () => 'Something was done without consent.')
  for (const { leaseId, at, by } of claims)
    for (const call of calls) {
      if (leaseId !== undefined && call.leaseId !== leaseId) continue
      const late = call.uses.find((use) => use > at)
      promise(late === undefined, () => `${by} at ${at}, and the tool acted at ${late}.`)
      const hasReturned = leaseId !== undefined || (call.endedAt !== undefined && call.endedAt <= at)
      promise(hasReturned, () => `${by} at ${at}, and the tool returned at ${call.endedAt}.`)
    }
}
