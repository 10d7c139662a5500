import { isLater } from '../values/message-type.ts'

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
