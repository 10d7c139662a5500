import type { Clock } from '../../base/ports/clock.ts'
import type { StoredThread, ThreadDisk } from '../records/thread-disk.ts'

/** The stored threads. A run that was left longer ago than `resumeWithinMs` does not resume by itself, so its thread is not running. */
export function readThreads(
  disk: Pick<ThreadDisk, 'threads' | 'read'>,
  clock: Clock,
  resumeWithinMs: number,
): Promise<StoredThread[]> {
  const settled = async (thread: StoredThread): Promise<StoredThread> => {
    if (thread.status !== 'running') return thread
    const { state } = await disk.read(thread.id)
    return state?.run === undefined || clock.date() - state.revision > resumeWithinMs
      ? { ...thread, status: 'failed' }
      : thread
  }
  return disk.threads().then((threads) => Promise.all(threads.map(settled)))
}
