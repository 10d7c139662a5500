import type { Places } from './places.ts'

/** One run, as the exchange knows it. */
export interface KnownRun {
  readonly requestId: string
  readonly invokeId: string
  jobId: string | undefined
  /** Where it was left, until it was read on. */
  leftAt?: Places | undefined
  /** Live messages may be newer than the history it has to read first. */
  isAway?: boolean
  /** It reads again what other runs of its job have read. */
  isReplaying?: boolean
}

/** The runs of a client, by each of their ids. */
export interface KnownRuns {
  all(): Iterable<KnownRun>
  byRequest(requestId: string): KnownRun | undefined
  byInvoke(invokeId: string | undefined): KnownRun | undefined
  /** Calls under the same key have the same job. */
  ofJob(jobId: string | undefined): readonly KnownRun[]
  add(run: KnownRun): void
  /** The job of a run is read again from where the run was left. Other runs of the job have read that, unless they were left as well. */
  replay(run: KnownRun): void
  /** Whether a run reads what was read of its job before. */
  isReplaying(requestId: string): boolean
  /** The job of a run has an id. */
  bind(run: KnownRun, jobId: string): void
  forget(requestId: string): void
}

export function createKnownRuns(): KnownRuns {
  const requests = new Map<string, KnownRun>()
  const invokes = new Map<string, KnownRun>()
  const jobs = new Map<string, readonly KnownRun[]>()
  const ofJob = (jobId = ''): readonly KnownRun[] => jobs.get(jobId) ?? []

  function bind(run: KnownRun, jobId: string): void {
    run.jobId = jobId
    jobs.set(jobId, [...ofJob(jobId), run])
  }

  return {
    all: () => requests.values(),
    byRequest: (requestId) => requests.get(requestId),
    byInvoke: (invokeId = '') => invokes.get(invokeId),
    ofJob,
    add(run) {
      requests.set(run.requestId, run)
      invokes.set(run.invokeId, run)
      if (run.jobId !== undefined) bind(run, run.jobId)
    },
    replay(run) {
      for (const other of ofJob(run.jobId)) other.isReplaying = other === run || other.isAway === true
    },
    isReplaying: (requestId) => requests.get(requestId)?.isReplaying === true,
    bind,
    forget(requestId) {
      const run = requests.get(requestId)
      if (run === undefined) return
      requests.delete(requestId)
      invokes.delete(run.invokeId)
      if (run.jobId === undefined) return
      const left = ofJob(run.jobId).filter((each) => each !== run)
      if (left.length > 0) jobs.set(run.jobId, left)
      else jobs.delete(run.jobId)
    },
  }
}
