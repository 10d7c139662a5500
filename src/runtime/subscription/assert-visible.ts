import type { ArcpFilter } from '../../protocols/arcp/schema/payloads.ts'
import { ArcpFault } from '../message/arcp-fault.ts'
import type { Jobs } from '../job/jobs.ts'
import type { Streams } from '../job/job-streams.ts'
import type { RuntimeSession } from '../session/runtime-session.ts'
import { messageOf } from '../session/runtime-session.ts'
import type { Sessions } from '../session/sessions.ts'

/** Where sessions, jobs and streams are found. */
export interface Visible {
  readonly sessions: Sessions
  readonly jobs: Jobs
  readonly streams: Streams
}

export interface Subscriber {
  readonly session: RuntimeSession
  /** Whether the subscriber may see a session. */
  sees(owner: RuntimeSession): boolean
}

/**
 * Checks that the subscriber may see each session, job and stream that a filter names (RFC section 13). Those of others and unknown ones
 * are refused alike. A trace may be named before it exists: clients choose its id.
 *
 * @throws ArcpFault PERMISSION_DENIED; UNAVAILABLE while sessions of the subscriber are being recovered that may contain what is named
 */
export async function assertVisible(
  { sessions, jobs, streams }: Visible,
  filter: ArcpFilter,
  { session, sees }: Subscriber,
): Promise<void> {
  for (const id of filter.session_id ?? []) {
    const owner = await sessions.find(id)
    if (owner === undefined || !sees(owner)) throw denied('session')
  }
  const isHidden = (owner: RuntimeSession | undefined): boolean => owner === undefined || !sees(owner)
  const missingJobs = new Set(filter.job_id?.filter((id) => isHidden(jobs.all.get(id)?.session)))
  const missingStreams = new Set(filter.stream_id?.filter((id) => isHidden(streams.jobOf(id)?.session)))
  if (missingJobs.size + missingStreams.size === 0) return
  // Streams that were closed, old jobs, and those of a process before this one are in the logs alone.
  const isComplete = await sessions.recoverOf(session.scope)
  for (const owner of [...sessions.all.values()].filter(sees)) {
    for (const frame of owner.isResumable ? await owner.logged('').catch(() => []) : []) {
      const { job_id: jobId, stream_id: streamId } = messageOf(frame)
      if (typeof jobId === 'string') missingJobs.delete(jobId)
      if (typeof streamId === 'string') missingStreams.delete(streamId)
    }
    if (missingJobs.size + missingStreams.size === 0) return
  }
  if (!isComplete)
    throw new ArcpFault('UNAVAILABLE', 'Your earlier sessions are still being recovered. Subscribe again later.', {
      retryable: true,
    })
  throw denied(missingJobs.size > 0 ? 'job' : 'stream')
}

function denied(what: 'session' | 'job' | 'stream'): ArcpFault {
  return new ArcpFault('PERMISSION_DENIED', `A ${what} of the filter does not exist, or belongs to somebody else.`)
}
