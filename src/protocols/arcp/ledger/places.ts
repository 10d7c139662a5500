import { isLater } from '../values/vocabulary.ts'

/** A session that says something of a run, and after which of its messages the run was left, if it was. */
export interface RunPlace {
  readonly sessionId: string
  readonly leftAt?: { readonly after: string | undefined } | undefined
}

/** From where a session is read on, and the last message that was read of it. */
export interface SessionPlace {
  readonly sessionId: string
  readonly after: string | undefined
  readonly last: string | undefined
}

/** How far each session was read. */
export interface SessionCursors {
  /** A message of a session was read, here or by the page before. */
  read(sessionId: string | undefined, id: string | undefined): void
  /**
   * The message after which the session is read on; undefined for its start. A few that were read are among those that follow, since
   * messages of different jobs may overtake each other.
   */
  resumeAfter(sessionId: string): string | undefined
  /** From where each session of these runs is read on. */
  places(runs: readonly RunPlace[]): readonly SessionPlace[]
}

/** Messages by which one may have been overtaken. */
const OVERLAP = 64

export function createSessionCursors(): SessionCursors {
  const lasts = new Map<string, string>()
  const recent = new Map<string, string[]>()

  function resumeAfter(sessionId: string): string | undefined {
    return (recent.get(sessionId) ?? []).reduce(earlier, undefined)
  }

  return {
    read(sessionId, id) {
      if (sessionId === undefined || id === undefined) return
      if (isLater(id, lasts.get(sessionId))) lasts.set(sessionId, id)
      const ids = recent.get(sessionId) ?? []
      recent.set(sessionId, ids)
      if (ids.push(id) > OVERLAP) ids.shift()
    },
    resumeAfter,
    places(runs) {
      const places = new Map<string, (string | undefined)[]>()
      for (const { sessionId, leftAt } of runs) {
        const ids = places.get(sessionId) ?? [resumeAfter(sessionId)].filter((id) => id !== undefined)
        places.set(sessionId, leftAt === undefined ? ids : [...ids, leftAt.after])
      }
      return [...places].map(([sessionId, ids]) => ({
        sessionId,
        after: ids.reduce(
          (first, id) => (first === undefined || id === undefined ? undefined : earlier(first, id)),
          ids[0],
        ),
        last: lasts.get(sessionId),
      }))
    },
  }
}

/** The earlier of two ids; of those that have no order, the one that is given last. */
function earlier(first: string | undefined, id: string): string {
  return first !== undefined && isLater(id, first) && !isLater(first, id) ? first : id
}

/** How far something was read: in each session, oldest first, the id of the last message; undefined where nothing was. */
export type Places = ReadonlyMap<string, string | undefined>

/**
 * The read position of each job in each session that has reported it: its messages and replies about it may arrive
 * in different ones. By the message that invoked it until the job has an id.
 */
export interface JobPlaces {
  of(job: string): Places
  /** Messages were read there, or may arrive there. */
  read(job: string, sessionId: string | undefined, id: string | undefined): void
  /** The places are these. */
  set(job: string, places: Places): void
  /** The job has an id. */
  rename(invokeId: string, job: string): void
  /** A session cannot be read any more. */
  drop(job: string, sessionId: string): void
  delete(job: string): void
}

/** Sessions that are kept of each job: the first ones, where it was invoked, and the last. */
const KEPT = 8

export const NOWHERE: Places = new Map()

export function createJobPlaces(): JobPlaces {
  const jobs = new Map<string, Map<string, string | undefined>>()

  function read(job: string, sessionId: string | undefined, id: string | undefined): void {
    if (sessionId === undefined) return
    const places = jobs.get(job) ?? new Map<string, string | undefined>()
    jobs.set(job, places)
    const before = places.get(sessionId)
    if (!places.has(sessionId) || (id !== undefined && isLater(id, before))) places.set(sessionId, id)
    const [, second] = places.size > KEPT ? places.keys() : []
    if (second !== undefined) places.delete(second)
  }

  return {
    of: (job) => jobs.get(job) ?? NOWHERE,
    read,
    set: (job, places) => void jobs.set(job, new Map(places)),
    rename(invokeId, job) {
      for (const [sessionId, id] of jobs.get(invokeId) ?? []) read(job, sessionId, id)
      jobs.delete(invokeId)
    },
    drop: (job, sessionId) => void jobs.get(job)?.delete(sessionId),
    delete: (job) => void jobs.delete(job),
  }
}

/** Whether a message is not later than what was read of its session. */
export function hasRead(
  places: Places | undefined,
  { id, session_id: sessionId }: { readonly id: string; readonly session_id?: string | undefined },
): boolean {
  return !isLater(id, places?.get(sessionId ?? ''))
}
