/** Deduplication by id, in bounded memory. */
export interface SeenIds {
  /** Records an id of a job, or of none. False when it was there already. */
  add(jobId: string | undefined, id: string): boolean
  /** Forgets the ids of a job: they count as new. */
  delete(jobId: string): void
}

/** Ids that are kept of each job: a replay begins after the last one that was read, so what is repeated is at the end. */
const KEPT = 4_096

export function createSeenIds(kept = KEPT): SeenIds {
  const jobs = new Map<string, Set<string>>()
  return {
    add(jobId = '', id) {
      const ids = jobs.get(jobId) ?? new Set<string>()
      if (ids.has(id)) return false
      jobs.set(jobId, ids.add(id))
      const [oldest] = ids.size > kept ? ids : []
      if (oldest !== undefined) ids.delete(oldest)
      return true
    },
    delete: (jobId) => void jobs.delete(jobId),
  }
}
