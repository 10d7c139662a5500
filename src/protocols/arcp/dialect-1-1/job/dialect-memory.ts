import type { JobRecord } from './job-record.ts'

/** A session that can be resumed. Its token is in memory alone. */
export interface ResumableSession {
  readonly id: string
  token: string | undefined
  /** Number of the last event that came; -1 before the first one. */
  lastSeq: number
  /** Number after which events were missing, once it was tried to get them. */
  gapAfter: number | undefined
}

/** A call of a tool, by the message of ARCP 1.0 that makes it. */
export interface Invocation {
  readonly id: string
  /** Traces under which it was submitted. */
  readonly traces: string[]
  jobId: string | undefined
}

/** What outlives a connection. */
export interface DialectMemory {
  session: ResumableSession | undefined
  readonly jobs: Map<string, JobRecord>
  readonly invocations: Map<string, Invocation>
  /** A new id for a message that is not a place of a job. */
  nextId(): string
  /** Forgets the jobs that ended first, where there are many. */
  trim(): void
}

/** Jobs that have ended and are remembered, and messages of them. */
const KEPT_ENDED = 100
const KEPT_MESSAGES = 20_000

export function createDialectMemory(): DialectMemory {
  const jobs = new Map<string, JobRecord>()
  const invocations = new Map<string, Invocation>()
  let count = 0
  return {
    session: undefined,
    jobs,
    invocations,
    nextId: () => `dialect_${++count}`,
    trim() {
      const ended = [...jobs.values()].filter(({ isEnded }) => isEnded)
      let [left, messages] = [KEPT_ENDED, KEPT_MESSAGES]
      for (const { id, log } of ended.toReversed()) {
        left -= 1
        messages -= log.length
        if (left >= 0 && messages >= 0) continue
        jobs.delete(id)
        for (const invocation of [...invocations.values()])
          if (invocation.jobId === id) invocations.delete(invocation.id)
      }
    },
  }
}
