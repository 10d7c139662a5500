import { noop } from '../../../base/noop.ts'
import { ArcpFault, faultPayload } from '../message/arcp-fault.ts'
import type { LoggedJob } from '../session/logged-session.ts'
import type { RuntimeSession } from '../session/runtime-session.ts'
import type { RuntimeJob } from './runtime-job.ts'

/**
 * A job that a process before this one has run, as one that has ended. A job that had not has failed with its process: that is told,
 * with the end of what was open of it, so that nobody waits for more.
 */
export function restoreJob(session: RuntimeSession, logged: LoggedJob): RuntimeJob {
  const { jobId: id, tool, invokeId, traceId, acceptedId, state } = logged
  if (state === 'open') tellLost(session, logged)
  return {
    id,
    tool,
    session,
    invokeId,
    traceId,
    acceptedId,
    state: state === 'open' ? 'failed' : state,
    signal: AbortSignal.abort(),
    // With its process.
    hasReturned: true,
    emit: () => undefined,
    beat: noop,
    block: () => noop,
    onEnd: noop,
    end: () => false,
    returned: noop,
    abandon: noop,
  }
}

/** Whether the tool has done its work nobody knows, so that it is no failure to be tried again unseen. */
const LOST = new ArcpFault('ABORTED', 'The runtime was restarted while the job was running.', { retryable: false })

function tellLost(session: RuntimeSession, { jobId, invokeId, traceId, streams, leases }: LoggedJob): void {
  const members = { job_id: jobId, ...(traceId === undefined ? {} : { trace_id: traceId }) }
  const error = faultPayload(LOST)
  for (const streamId of streams) session.emit('stream.error', error, { ...members, stream_id: streamId })
  for (const leaseId of leases) session.emit('lease.revoked', { lease_id: leaseId, reason: LOST.message }, members)
  session.emit('job.failed', error, { ...members, correlation_id: invokeId })
}
