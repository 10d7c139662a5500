'use client'
import { useMemo, useSyncExternalStore } from 'react'
import type { Threads, ThreadsSnapshot } from '../state/thread.ts'

/** The threads of a store with what `ThreadList` asks for: `<ThreadList {...useThreads(store)} onSelect={…} />`. */
export interface ThreadsView extends ThreadsSnapshot {
  readonly onRename: Threads['rename']
  readonly onRemove: Threads['remove']
}

/** Reads a thread store. Renders again when a thread comes, goes or changes, and not for the words of an answer. */
export function useThreads(store: Threads): ThreadsView {
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot)
  return useMemo(() => ({ ...snapshot, onRename: store.rename, onRemove: store.remove }), [snapshot, store])
}
