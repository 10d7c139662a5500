import type { Clock } from '../../base/ports/clock.ts'
import type { StoredThread, ThreadDisk } from '../records/thread-disk.ts'
import { isUnfinished } from '../records/read-record.ts'

/**
 * The stored threads. A run that was left longer ago than `resumeWithinMs` does not resume automatically, so its thread has failed. A
 * run that ended with a question waits for the user, however old it is.
 */
export function readThreads(
  disk: Pick<ThreadDisk, 'threads' | 'read'>,
  clock: Clock,
  resumeWithinMs: number,
): Promise<StoredThread[]> {
  const settled = async (thread: StoredThread): Promise<StoredThread> => {
    if (!isUnfinished(thread.status)) return thread
    const { state } = await disk.read(thread.id)
    if (thread.status === 'awaiting-input' && state !== undefined && state.run?.ended !== false) return thread
    return state?.run === undefined || clock.date() - state.revision > resumeWithinMs
      ? { ...thread, status: 'failed' }
      : thread
  }
  return disk.threads().then((threads) => Promise.all(threads.map(settled)))
}
