import { abortReason, onAbort } from '../../../base/on-abort.ts'
import type { LogEntry, LogSlice } from '../event-log.ts'
import type { ReadPlace } from './stored-entry.ts'

/**
 * What a writer of this process has written and the store has acknowledged, for those who follow it here: they need not read from
 * the store what this process has just sent there.
 */
export interface LiveRun {
  /** What its entries say of their writer. */
  readonly mark: string
  /** The store has these. */
  added(entries: readonly LogEntry[]): void
  /** The store has closed the log. */
  closed(): void
  /** Whatever comes is not known here any more. */
  lost(): void
  /** No entry can follow, and the store may not be able to tell. */
  failed(): void
  readonly hasFailed: boolean
  /** Resolves with what follows a place, or undefined when only the store can tell. Rejects with the reason of the signal. */
  next(place: ReadPlace, signal: AbortSignal): Promise<LogSlice | undefined>
}

interface Follower {
  readonly after: number
  settle(slice: LogSlice | undefined): void
}

/** UTF-16 units kept for a follower that was busy for a moment. One that is further behind reads the store. */
const MOST_UNITS = 8_192

/**
 * @param began counter after which the writer began
 * @param mark what its entries say of it, as `markOf` has it
 */
export function createLiveRun(began: number, mark: string): LiveRun {
  const followers = new Set<Follower>()
  let recent: LogEntry[] = []
  let units = 0
  let end = began
  let live = true
  let hasFailed = false
  /** Followers at one place are given one slice, so that its bytes are made once. */
  let last: { readonly after: number; readonly slice: LogSlice } | undefined

  const sliceAfter = (after: number): LogSlice => {
    if (last?.after !== after || last.slice.end !== end)
      last = { after, slice: { entries: recent.slice(recent.length - (end - after)), end, closed: false } }
    return last.slice
  }

  const tell = (sliceOf: (after: number) => LogSlice | undefined): void => {
    for (const follower of [...followers]) follower.settle(sliceOf(follower.after))
  }

  const stop = (slice: LogSlice | undefined): void => {
    live = false
    recent = []
    last = undefined
    tell(() => slice)
  }

  return {
    mark,
    added(entries) {
      if (!live) return
      recent.push(...entries)
      end += entries.length
      units += entries.reduce((sum, entry) => sum + unitsOf(entry), 0)
      // All who wait have everything before, so they get these even when they are too long to be kept.
      tell(sliceAfter)
      let dropped = 0
      for (const entry of recent) {
        if (units <= MOST_UNITS) break
        units -= unitsOf(entry)
        dropped += 1
      }
      if (dropped === 0) return
      recent.splice(0, dropped)
      last = undefined
    },
    closed: () => stop({ entries: [], end, closed: true }),
    lost: () => stop(undefined),
    failed() {
      hasFailed = true
      stop(undefined)
    },
    get hasFailed() {
      return hasFailed
    },
    async next({ after, writer }, signal) {
      // Entries of another writer may have been lost and replaced, which only the store can tell.
      if (!live || (writer !== mark && after !== began) || after > end || after < end - recent.length) return undefined
      if (after < end) return sliceAfter(after)
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          followers.delete(follower)
          release()
        }
        const follower: Follower = {
          after,
          settle(slice) {
            leave()
            resolve(slice)
          },
        }
        followers.add(follower)
        const release = onAbort(signal, () => {
          leave()
          reject(abortReason(signal, 'The read was aborted.'))
        })
      })
    },
  }
}

function unitsOf(entry: LogEntry): number {
  return entry.kind === 'stream' ? 0 : entry.text.length
}
