import type { ThreadChange, ThreadRecord } from './thread-disk.ts'

/**
 * A change to a conversation that could not be read when it was made, so that it adds to what the disk holds and replaces
 * nothing: messages of the past stand first in the order, and title and beginning of the thread stay.
 * @param term the fencing token it is written with
 */
export function joinPast({ state, thread, messages }: ThreadRecord, change: ThreadChange, term: number): ThreadChange {
  const own = new Set(change.state?.order)
  const past = state?.queued ?? []
  // It may have been passed on to the leader that wrote what stands there.
  const known = new Set([...past.map(({ id }) => id), ...[...messages.values()].map(({ requestId }) => requestId), ...(state?.performed ?? [])])
  return {
    ...change,
    removed: undefined,
    term,
    thread: change.thread && thread ? { ...change.thread, title: thread.title, named: thread.named, createdAt: thread.createdAt } : change.thread,
    state: change.state && {
      ...change.state,
      term,
      order: [...(state?.order ?? []).filter((id) => !own.has(id)), ...change.state.order],
      queued: [...past, ...change.state.queued.filter(({ id }) => !known.has(id))],
    },
  }
}
