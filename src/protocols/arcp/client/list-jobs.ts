import type { ArcpMessage } from '../read/message.ts'
import type { ArcpCallOptions } from './arcp-client-options.ts'
import type { ArcpConnection } from './arcp-connection.ts'

/** Which jobs are listed. Absent: all that the user may know of. */
export interface ArcpJobFilter extends ArcpCallOptions {
  /** States, as the runtime names them: pending, running, success, error, cancelled, timed_out. */
  readonly status?: readonly string[] | undefined
  /** The agent that works on it. */
  readonly agent?: string | undefined
  /** RFC 3339. */
  readonly createdAfter?: string | undefined
  /** RFC 3339. */
  readonly createdBefore?: string | undefined
  /** The most jobs of one list. Absent: the runtime decides. */
  readonly limit?: number | undefined
  /** Where the list before ended. Absent: the first list. */
  readonly cursor?: string | undefined
}

/** A job as a list reports it. */
export interface ArcpListedJob {
  readonly id: string
  readonly agent?: string | undefined
  readonly status: string
  /** Patterns of what it may do, by capability. */
  readonly lease?: Readonly<Record<string, readonly string[]>> | undefined
  /** The job that has begun it. Absent: none has. */
  readonly parentId?: string | undefined
  /** RFC 3339. */
  readonly createdAt?: string | undefined
}

/** Jobs, and where the next list begins; absent at the end. */
export interface ArcpJobList {
  readonly jobs: readonly ArcpListedJob[]
  readonly nextCursor?: string | undefined
}

/** A list as the dialect passes it on: it was read there. */
interface ListedJobs {
  readonly jobs: readonly {
    readonly job_id: string
    readonly agent?: string | undefined
    readonly status: string
    readonly lease?: Readonly<Record<string, readonly string[]>> | undefined
    readonly parent_job_id?: string | undefined
    readonly created_at?: string | undefined
  }[]
  readonly next_cursor?: string | undefined
}

/** Lists jobs, also those of other sessions. */
export function listJobs(
  own: Pick<ArcpConnection, 'writer' | 'call'>,
  { signal, limit, cursor, createdAfter, createdBefore, ...filter }: ArcpJobFilter,
): Promise<ArcpJobList> {
  const times = { created_after: createdAfter, created_before: createdBefore }
  const message = own.writer.extension('session.list_jobs', { filter: { ...filter, ...times }, limit, cursor })
  const match = (reply: ArcpMessage): ArcpJobList | undefined => {
    if (reply.type !== 'extension' || reply.correlation_id !== message.id) return undefined
    // The dialect has read it.
    const { jobs, next_cursor: nextCursor } = reply.payload as unknown as ListedJobs
    return { jobs: jobs.map(toListedJob), nextCursor }
  }
  return own.call({ message, match }, { signal })
}

function toListedJob(job: ListedJobs['jobs'][number]): ArcpListedJob {
  const { job_id: id, agent, status, lease, parent_job_id: parentId, created_at: createdAt } = job
  return { id, agent, status, lease, parentId, createdAt }
}
