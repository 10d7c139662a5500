/** Deduplication by id, in bounded memory. */
export interface SeenIds {
  /** Records an id of a job, or of none. False when it was there already. */
  add(jobId: string | undefined, id: string): boolean
  /** Forgets the ids of a job: they count as new. */
  delete(jobId: string): void
  /** A job has ended: its last ids are kept for a while, as they may be repeated. */
  end(jobId: string): void
}

/** Ids that are kept of each job: a replay begins after the last one that was read, so what is repeated is at the end. */
const KEPT = 4_096

/** Ended jobs, and ids of each, that are kept: what is repeated after an end is a few messages. */
const KEPT_AFTER_END = 64

export function createSeenIds(kept = KEPT): SeenIds {
  const jobs = new Map<string, Set<string>>()
  /** Oldest first. */
  const ended = new Set<string>()
  return {
    add(jobId = '', id) {
      const ids = jobs.get(jobId) ?? new Set<string>()
      if (ids.has(id)) return false
      jobs.set(jobId, ids.add(id))
      const [oldest] = ids.size > kept ? ids : []
      if (oldest !== undefined) ids.delete(oldest)
      return true
    },
    delete(jobId) {
      jobs.delete(jobId)
      ended.delete(jobId)
    },
    end(jobId) {
      jobs.set(jobId, new Set([...(jobs.get(jobId) ?? [])].slice(-KEPT_AFTER_END)))
      const [oldest] = ended.add(jobId).size > KEPT_AFTER_END ? ended : []
      if (oldest === undefined) return
      ended.delete(oldest)
      jobs.delete(oldest)
    },
  }
}

/** Answers whose message is remembered. */
const KEPT_ANSWERS = 1_000

/** Ids of the messages that carry answers: the same answer is the same message, however often it is sent. */
export function createAnswerIds(): (answerId: string, makeId: () => string) => string {
  const messages = new Map<string, string>()
  return (answerId, makeId) => {
    const id = messages.get(answerId) ?? makeId()
    messages.set(answerId, id)
    const [oldest] = messages.keys()
    if (messages.size > KEPT_ANSWERS && oldest !== undefined) messages.delete(oldest)
    return id
  }
}
