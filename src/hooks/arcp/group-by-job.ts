interface OfJob {
  readonly jobId?: string | undefined
}

/** Gives the entries of one job, oldest first: the same list while none of them changes. */
export type JobReader<Entry> = (entries: ReadonlyMap<string, Entry>, jobId: string) => readonly Entry[]

/** Reads each map once, however many jobs ask: a thousand jobs on a page would else search all entries a thousand times. */
export function createJobReader<Entry extends OfJob>(): JobReader<Entry> {
  let read: ReadonlyMap<string, Entry> | undefined
  let groups = new Map<string, readonly Entry[]>()
  return (entries, jobId) => {
    if (entries !== read) {
      read = entries
      groups = regroup(entries, groups)
    }
    return groups.get(jobId) ?? NONE
  }
}

// An empty list of anything.
const NONE: readonly never[] = []

function regroup<Entry extends OfJob>(
  entries: ReadonlyMap<string, Entry>,
  before: ReadonlyMap<string, readonly Entry[]>,
): Map<string, readonly Entry[]> {
  const next = new Map<string, Entry[]>()
  for (const entry of entries.values()) {
    if (entry.jobId === undefined) continue
    const group = next.get(entry.jobId)
    if (group === undefined) next.set(entry.jobId, [entry])
    else group.push(entry)
  }
  const kept = new Map<string, readonly Entry[]>(next)
  for (const [jobId, group] of next) {
    const known = before.get(jobId)
    if (known?.length === group.length && known.every((entry, at) => entry === group[at])) kept.set(jobId, known)
  }
  return kept
}
