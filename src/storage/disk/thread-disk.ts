import type { Thread } from '../../state/thread.ts'
import { type StoredMessage, type MessageChanges, type StoredState, isNewer } from './stored-state.ts'

/** A thread with whether its title is the user's own. */
export interface StoredThread extends Thread {
  readonly named: boolean
}

/** All that is kept of one conversation. A draft may be there before the first message does. */
export interface ThreadRecord {
  readonly thread?: StoredThread | undefined
  readonly state?: StoredState | undefined
  readonly messages: ReadonlyMap<string, StoredMessage>
  readonly draft: string
}

/** What to write of one conversation; what is left out stays as it is. */
export interface ThreadChange {
  /** Time of a deletion in epoch milliseconds: all earlier data is deleted before this change is written. */
  readonly removed?: number | undefined
  /**
   * Fencing token of the leader that writes: the change is refused when a later leader has acquired the conversation. Absent
   * for what a user does in the list of threads; a removal of that kind overtakes every leader there was. 0 for a leader
   * that could not acquire it: the change is refused if there is a state already.
   */
  readonly term?: number | undefined
  readonly thread?: StoredThread | undefined
  readonly state?: StoredState | undefined
  readonly messages?: MessageChanges | undefined
  readonly draft?: string | undefined
}

/** A damaged record on the disk. It is never passed to a chat. */
export interface DamagedRecord {
  readonly kind: 'thread' | 'state' | 'message' | 'draft'
  /** The conversation it belongs to. */
  readonly threadId: string
  /** Of a message only. */
  readonly messageId?: string | undefined
  /** The fields that are damaged, or that do not fit the conversation's other records, separated by commas. */
  readonly problem: string
  /** As it is on the disk: it may hold text of the user and the agent. */
  readonly record: unknown
}

/** What a leader takes over. */
export interface AcquiredTerm {
  /** The new leader's fencing token. */
  readonly term: number
  /** Term of the last removal: what is known of an earlier term was deleted. 0 when there was none. */
  readonly removed: number
  /**
   * Time of the last removal in epoch milliseconds. It does not delete messages that were sent later in a tab that did
   * not know of it. 0 when there was none.
   */
  readonly removedAt: number
  readonly record: ThreadRecord
}

/**
 * Where threads are kept, as a port. Every promise may reject. What `threads`, `read` and `acquireTerm` give is checked by the
 * store, so a disk hands out what it finds.
 */
export interface ThreadDisk {
  /** Names the data between two sign-outs: another one after each `wipe()`, the same in every tab. */
  readonly generation: string
  threads(): Promise<readonly StoredThread[]>
  read(id: string): Promise<ThreadRecord>
  /**
   * Reads a conversation and, in the same transaction, gives out a term above `atLeast` and above any before. From then on
   * changes of earlier terms are refused.
   */
  acquireTerm(id: string, atLeast: number): Promise<AcquiredTerm>
  /**
   * Everything that is not refused, in one transaction; resolves with the ids whose change was refused because a later
   * leader has acquired them. Of a refused change only the draft is written. A state that is no newer than the one there is left out.
   */
  write(changes: ReadonlyMap<string, ThreadChange>): Promise<readonly string[]>
  /** Keeps copies of damaged records, as the next write may replace them. They go with their thread. Absent: they are only reported. */
  setAside?(damaged: readonly DamagedRecord[]): Promise<void>
  /** Deletes everything, the database itself included. */
  wipe(): Promise<void>
  close(): void
}

export interface DiskEvents {
  /** Another tab deletes everything: the user signed out. */
  onDeleted(): void
}

export const NO_RECORD: ThreadRecord = { messages: new Map(), draft: '' }

/** Two changes, one after the other, as one. */
export function mergeChanges(first: ThreadChange | undefined, second: ThreadChange): ThreadChange {
  if (first === undefined || second.removed) return second
  const { thread = first.thread, state = first.state, draft = first.draft, term = first.term } = second
  return {
    removed: first.removed,
    thread,
    state,
    draft,
    term,
    messages: new Map([...(first.messages ?? []), ...(second.messages ?? [])]),
  }
}

/** A record with a change that is not written yet; without the state of a change that is older than the record's. */
export function withChange(record: ThreadRecord, change: ThreadChange | undefined): ThreadRecord {
  if (change === undefined) return record
  const before = change.removed ? NO_RECORD : record
  const isOutdated = before.state !== undefined && change.state !== undefined && isNewer(before.state, change.state)
  if (isOutdated) return { ...before, draft: change.draft ?? before.draft }
  const messages = new Map(before.messages)
  for (const [id, message] of change.messages ?? []) {
    if (message === undefined) messages.delete(id)
    else messages.set(id, message)
  }
  return {
    thread: change.thread ?? before.thread,
    state: change.state ?? before.state,
    draft: change.draft ?? before.draft,
    messages,
  }
}

/** Ids of the messages of a record, queued ones too. */
export function idsIn({ messages, state }: ThreadRecord): readonly string[] {
  return [...messages.keys(), ...(state?.queued ?? []).map(({ id }) => id)]
}

/** The change without what only a leader may write; a removal by a user stays. */
export function withoutState({ draft, removed, term }: ThreadChange): ThreadChange {
  return { draft, removed: term === undefined ? removed : undefined }
}
