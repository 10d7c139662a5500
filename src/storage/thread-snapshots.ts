import type { Persistence, ThreadsSnapshot } from '../state/thread.ts'
import type { StoredThread } from './records/thread-disk.ts'

/** The list of threads as one immutable snapshot, newest first: a new one only when something in it changed. */
export interface ThreadSnapshots {
  get(): ThreadsSnapshot
  subscribe(listener: () => void): () => void
  publish(threads: Iterable<StoredThread>, persistence: Persistence, isLoaded: boolean): void
}

export function createThreadSnapshots(): ThreadSnapshots {
  const listeners = new Set<() => void>()
  let snapshot: ThreadsSnapshot = { status: 'loading', threads: [], persistence: { where: 'opening' } }
  return {
    get: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    publish(threads, persistence, isLoaded) {
      const sorted = [...threads].toSorted((left, right) => right.updatedAt - left.updatedAt)
      const before = snapshot.threads
      const isSame = sorted.length === before.length && sorted.every((thread, index) => thread === before[index])
      const status = isLoaded ? 'ready' : 'loading'
      if (isSame && persistence === snapshot.persistence && status === snapshot.status) return
      snapshot = { status, persistence, threads: isSame ? before : sorted }
      for (const listener of [...listeners]) listener()
    },
  }
}
