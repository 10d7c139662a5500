/** Work is done in slices of so many milliseconds, so that the page can answer between them. */
const SLICE_MS = 4
/** While the page is never idle, there is a slice every so often all the same. */
const MAX_WAIT_MS = 100

export interface Job {
  /** Does one small piece of the work, and says whether there is more of it. */
  step(): boolean
  /** A slice in which it had a part is over. */
  publish(): void
}

export interface WorkQueue {
  add(job: Job): void
  remove(job: Job): void
}

function whenIdle(callback: () => void): void {
  // Safari has none.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(callback, { timeout: MAX_WAIT_MS })
  else setTimeout(callback, 0)
}

/** One queue for many blocks: however many there are, a slice is a slice. The first come are served first. */
export function createWorkQueue(): WorkQueue {
  const jobs = new Set<Job>()
  let awaited = false

  const wait = (): void => {
    if (awaited || jobs.size === 0) return
    awaited = true
    whenIdle(runSlice)
  }
  const runSlice = (): void => {
    awaited = false
    const end = performance.now() + SLICE_MS
    for (const job of jobs) {
      let more = true
      while (more && performance.now() < end) more = job.step()
      if (!more) jobs.delete(job)
      job.publish()
      if (performance.now() >= end) break
    }
    wait()
  }

  return {
    add(job) {
      jobs.add(job)
      wait()
    },
    remove: (job) => void jobs.delete(job),
  }
}
