'use client'
import { useMemo, useSyncExternalStore } from 'react'

/** Something that publishes immutable snapshots. */
export interface Store<Snapshot> {
  getSnapshot(): Snapshot
  subscribe(listener: () => void): () => void
}

/**
 * A snapshot that tracks which fields are read: the component renders again only when one of those fields changes.
 * Destructuring reads exactly the named fields.
 */
export function useTracked<Snapshot extends object>(store: Store<Snapshot>): Snapshot {
  const tracker = useMemo(() => createTracker(store), [store])
  // A function of its own in each render: with the same one React 18 loses changes where a component also sets state while it renders.
  const getSnapshot = (): Snapshot => tracker.getSnapshot()
  const snapshot = useSyncExternalStore(store.subscribe, getSnapshot, getSnapshot)
  return useMemo(() => tracker.view(snapshot), [tracker, snapshot])
}

function createTracker<Snapshot extends object>(
  store: Store<Snapshot>,
): { getSnapshot(): Snapshot; view(snapshot: Snapshot): Snapshot } {
  const read = new Set<keyof Snapshot>()
  let last = store.getSnapshot()

  return {
    getSnapshot() {
      const newest = store.getSnapshot()
      for (const key of read) {
        if (Object.is(newest[key], last[key])) continue
        last = newest
        break
      }
      return last
    },
    view(snapshot) {
      const fields: PropertyDescriptorMap = {}
      // Object.keys gives string[]; a snapshot is a plain object with exactly its declared keys.
      for (const key of Object.keys(snapshot) as (keyof Snapshot & string)[]) {
        fields[key] = {
          enumerable: true,
          get: () => {
            read.add(key)
            return snapshot[key]
          },
        }
      }
      // The properties just defined are the snapshot's own, one by one.
      return Object.defineProperties({}, fields) as Snapshot
    },
  }
}
