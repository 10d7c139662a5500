/** Work is done in slices of so many milliseconds, so that the page can answer between them. */
const SLICE_MS = 4
/** Longest slice, in milliseconds, when the browser says that the page has nothing else to do for that long: one frame. */
const IDLE_SLICE_MS = 16
/** Longest wait for a slice when the page is never idle, in milliseconds. */
const MAX_WAIT_MS = 100

export interface Job {
  /** Does one small piece of the work, and says whether there is more of it. */
  step(): boolean
  /** Called at the end of each slice in which the job made a step. */
  publish(): void
}

export interface WorkQueue {
  add(job: Job): void
  remove(job: Job): void
}

/** @param callback given the milliseconds the page is expected to have nothing else to do */
function whenIdle(callback: (idleMs: number) => void): void {
  // Safari has none.
  if (typeof requestIdleCallback === 'function')
    requestIdleCallback((deadline) => callback(deadline.timeRemaining()), { timeout: MAX_WAIT_MS })
  else setTimeout(callback, 0, 0)
}

/** One queue for all blocks: the length of a slice does not depend on their number. Jobs run in order of arrival. */
export function createWorkQueue(): WorkQueue {
  const jobs = new Set<Job>()
  let awaited = false

  const wait = (): void => {
    if (awaited || jobs.size === 0) return
    awaited = true
    whenIdle(runSlice)
  }
  const runSlice = (idleMs: number): void => {
    awaited = false
    // A grammar is some hundred milliseconds of work: in a busy page a slice may wait long for the next one.
    const end = performance.now() + Math.min(Math.max(SLICE_MS, idleMs), IDLE_SLICE_MS)
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
