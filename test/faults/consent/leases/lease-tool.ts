import type { ArcpToolContext } from '../../../../src/runtime/job/tool.ts'
import type { Thread } from '../../../storage/model/virtual-time.ts'
import type { LeaseSchedule } from './lease-schedule.ts'

/** One call of the tool, with all that it did under the leases that it was granted. */
export interface ToolCall {
  /** Absent: it was not allowed, or not yet. */
  leaseId: string | undefined
  readonly uses: number[]
  endedAt: number | undefined
}

/** A tool that acts only under a lease, and stops when the lease or its job ends. */
export function createLeaseTool(
  { leaseSeconds, uses, paceMs }: LeaseSchedule,
  thread: Thread,
): {
  readonly calls: readonly ToolCall[]
  tool(given: unknown, context: ArcpToolContext): Promise<string>
} {
  const calls: ToolCall[] = []
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      thread.post('timer', ms, resolve)
    })

  async function work(call: ToolCall, { requestPermission, signal }: ArcpToolContext): Promise<string> {
    const lease = await requestPermission({
      permission: 'fs.write',
      resource: 'notes.txt',
      operation: 'write',
      reason: 'To write it down',
      leaseSeconds,
    })
    call.leaseId = lease.id
    for (let count = 0; count < uses; count += 1) {
      await sleep(paceMs)
      if (signal.aborted || lease.signal.aborted) return 'Not all of it.'
      call.uses.push(thread.clock.now())
    }
    return 'Done.'
  }

  return {
    calls,
    async tool(_given, context) {
      const call: ToolCall = { leaseId: undefined, uses: [], endedAt: undefined }
      calls.push(call)
      try {
        return await work(call, context)
      } finally {
        call.endedAt = thread.clock.now()
      }
    },
  }
}
