/** One run, as the exchange knows it. */
export interface KnownRun {
  readonly requestId: string
  readonly invokeId: string
  jobId: string | undefined
  /** The sessions in which it was invoked. */
  readonly sentIn: Set<string>
  leftAt?: { readonly sessionId: string; readonly after: string | undefined } | undefined
}

/** Runs by their job: calls under the same key have the same one. */
export interface RunsByJob {
  of(jobId: string | undefined): readonly KnownRun[]
  all(): readonly KnownRun[]
  add(jobId: string, run: KnownRun): void
  delete(run: KnownRun): void
}

export function createRunsByJob(): RunsByJob {
  const jobs = new Map<string, readonly KnownRun[]>()
  const of = (jobId = ''): readonly KnownRun[] => jobs.get(jobId) ?? []
  return {
    of,
    all: () => [...jobs.values()].flat(),
    add: (jobId, run) => void jobs.set(jobId, [...of(jobId), run]),
    delete(run) {
      const { jobId } = run
      const left = of(jobId).filter((each) => each !== run)
      if (jobId === undefined) return
      if (left.length > 0) jobs.set(jobId, left)
      else jobs.delete(jobId)
    },
  }
}
