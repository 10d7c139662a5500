import type { FramePayload } from '../schema/payloads.ts'
import type { JobRecord } from '../job/job-record.ts'
import { askHistory, ENDS, lose } from './follow-job.ts'
import type { GatewayConnection } from './gateway-connection.ts'

/** How often it is asked what became of jobs that say nothing, in milliseconds. */
const CHECK_MS = 20_000

/**
 * Jobs that continued when their session was resumed: a published runtime drops what such jobs say, so that nothing would ever come. As
 * long as one has said nothing, it is asked whether the runtime still has it; one that has ended, or is not known, is read or has failed.
 */
export function checkResumedJobs(gateway: GatewayConnection): void {
  const { memory, session, features } = gateway
  const silent = [...memory.jobs.values()].filter(({ home, isEnded }) => home === session.id && !isEnded)
  const places = new Map(silent.map(({ id, place }) => [id, place.ordinal]))
  const isSilent = ({ id, isEnded, place }: JobRecord): boolean => !isEnded && place.ordinal === places.get(id)
  if (!features.has('list_jobs') || silent.length === 0) return

  function check(): void {
    if (!silent.some(isSilent)) return
    gateway.requests.add({
      kind: 'list',
      id: memory.nextId(),
      send: () => void gateway.send('session.list_jobs', { filter: undefined, limit: undefined, cursor: undefined }),
      refuse: () => undefined,
      take: judge,
    })
    gateway.later(CHECK_MS, check)
  }

  function judge({ jobs, next_cursor: more }: FramePayload<'session.jobs'>): void {
    const states = new Map(jobs.map(({ job_id: id, status }) => [id, status]))
    for (const record of silent.filter(isSilent)) {
      const status = states.get(record.id)
      if (status === undefined ? more !== undefined : !ENDS.has(status)) continue
      if (features.has('subscribe')) askHistory(gateway, record)
      else lose(gateway, record, GONE)
    }
  }

  gateway.barrier(check)
}

const GONE = {
  code: 'DATA_LOSS',
  message: 'The job has ended, and what it said at its end cannot be read any more.',
  retryable: false,
}
