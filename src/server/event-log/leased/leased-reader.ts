import { abortReason, onAbort } from '../../../base/on-abort.ts'
import type { LogReader, LogSlice } from '../event-log.ts'
import type { LiveRun } from './live-run.ts'
import { MOST_BYTES, type RunStore, type StoredPart, type LeasedRun } from './run-store.ts'
import { expired, toSlice, type ReadPlace, type StoredEntry } from './stored-entry.ts'

export interface LeasedReaderOptions {
  readonly run: LeasedRun
  readonly store: RunStore
  /** The run as it is written in this process; undefined when it is not. */
  readonly liveOf: () => LiveRun | undefined
  /** The run was begun for this reader: nothing comes before what its writer will say. */
  readonly begun: boolean
}

export function createLeasedReader({ run, store, liveOf, begun }: LeasedReaderOptions): LogReader {
  /** Where the last read ended. */
  let place: ReadPlace = { after: 0, writer: '' }
  /** The same, when there was nothing more: from there the tail has what follows. */
  let caughtUpAt: number | undefined = begun ? 0 : undefined

  /** What the writer of this process has said since; undefined when only the store can tell. */
  const readLive = async (after: number, signal: AbortSignal): Promise<LogSlice | undefined> => {
    const live = liveOf()
    if (live === undefined || after !== place.after) return undefined
    const slice = await live.next(place, signal)
    if (slice === undefined) return undefined
    place = { after: slice.end, writer: live.mark }
    caughtUpAt = slice.end
    return slice
  }

  const readOrWait = async (
    after: number,
    signal: AbortSignal,
  ): Promise<StoredPart | LogSlice | 'gone' | 'orphaned'> => {
    for (;;) {
      // The store may still have the entries before, which nothing will complete.
      if (liveOf()?.hasFailed === true) return 'gone'
      if (after !== caughtUpAt) {
        const part = await unlessAborted(store.read(run, after), signal)
        if (typeof part === 'string' || part.items.length > 0) return part
      }
      const live = liveOf()
      const slice = await readLive(after, signal)
      if (slice !== undefined) return slice
      if (live?.hasFailed === true) return 'gone'
      // Its writer has ended or was lost while this one waited: the store knows how.
      if (live !== liveOf()) caughtUpAt = undefined
      else break
    }
    const result = await store.wait(run, after, signal)
    return typeof result === 'string' ? result : firstPart(result)
  }

  return {
    async read(after, signal) {
      signal.throwIfAborted()
      const part = await readOrWait(after, signal)
      if (part === 'gone') throw expired()
      if (part === 'orphaned') return { entries: [], end: after, closed: false, orphaned: true }
      if ('entries' in part) return part
      const taken = toSlice(after === place.after ? place : { after, writer: undefined }, part.items)
      place = taken.place
      caughtUpAt = part.more ? undefined : taken.slice.end
      return taken.slice
    },
  }
}

/** What came for all followers may be more than one of them should hold. */
function firstPart(items: readonly StoredEntry[]): StoredPart {
  let bytes = 0
  const end = items.findIndex((item) => (bytes += item.text.length) >= MOST_BYTES) + 1
  return end === 0 ? { items, more: false } : { items: items.slice(0, end), more: end < items.length }
}

function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => reject(abortReason(signal, 'The read was aborted.')))
    promise.then(resolve, reject).finally(release)
  })
}
