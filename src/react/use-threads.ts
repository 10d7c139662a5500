'use client'
import { useContext, useMemo, useSyncExternalStore } from 'react'
import type { ChatMaker } from '../state/chat-options.ts'
import type { Threads, ThreadsSnapshot } from '../state/thread.ts'
import { AgentContext } from './agent-provider.tsx'

/** The threads of a store with what `ThreadList` asks for: `<ThreadList {...useThreads()} onSelect={…} />`. */
export interface ThreadsView extends ThreadsSnapshot {
  readonly onRename: Threads['rename']
  readonly onRemove: Threads['remove']
}

function isThreads(store: ChatMaker | undefined): store is ChatMaker & Threads {
  return store !== undefined && 'getSnapshot' in store && 'rename' in store && 'readDraft' in store
}

/** The store that is given, or the provider's. @throws Error where there is neither, or the provider's keeps no list */
export function useThreadsStore(given: Threads | undefined): Threads {
  const provided = useContext(AgentContext)?.store
  if (given !== undefined) return given
  if (provided === undefined)
    throw new Error(
      'There is no store of threads: pass one to the hook, or to <AgentProvider client={client} store={store}> around it.',
    )
  if (!isThreads(provided))
    throw new Error(
      "The provider's store makes chats and has no list of them. Pass a store of threads to the hook, such as one of createThreadStore.",
    )
  return provided
}

/**
 * Reads a thread store. Renders again when a thread comes, goes or changes, and not for the words of an answer.
 *
 * @param given the store to read @default the provider's
 *
 * @example
 * ```tsx
 * import { useThreads } from 'capstan/react'
 *
 * export function Titles() {
 *   const { threads } = useThreads()
 *   return threads.map(({ id, title }) => <p key={id}>{title}</p>)
 * }
 * ```
 */
export function useThreads(given?: Threads): ThreadsView {
  const store = useThreadsStore(given)
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot)
  return useMemo(() => ({ ...snapshot, onRename: store.rename, onRemove: store.remove }), [snapshot, store])
}
