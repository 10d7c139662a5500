import type { Thread } from '../state/thread.ts'
import type { StoredMessage } from './stored-message.ts'
import type { MessageChanges, StoredState } from './stored-state.ts'

/** A thread with whether its title is the person's own. */
export interface StoredThread extends Thread {
  readonly named: boolean
}

/** All that is kept of one conversation. A draft may stand there before the first message does. */
export interface ThreadRecord {
  readonly thread?: StoredThread | undefined
  readonly state?: StoredState | undefined
  readonly messages: ReadonlyMap<string, StoredMessage>
  readonly draft: string
}

/** What to write of one conversation; what is left out stays as it is. */
export interface ThreadChange {
  /** Everything there was goes first. */
  readonly removed?: true | undefined
  readonly thread?: StoredThread | undefined
  readonly state?: StoredState | undefined
  readonly messages?: MessageChanges | undefined
  readonly draft?: string | undefined
}

/** Where threads are kept, as a port. Every promise may reject. */
export interface ThreadDisk {
  threads(): Promise<readonly StoredThread[]>
  read(id: string): Promise<ThreadRecord>
  /** All or nothing, in one transaction. A state that is older than the one there is left out. */
  write(changes: ReadonlyMap<string, ThreadChange>): Promise<void>
  /** Deletes everything, the database itself included. */
  wipe(): Promise<void>
  close(): void
}

export interface DiskEvents {
  /** Another tab deletes everything: the person signed out. */
  onDeleted(): void
}

export const NO_RECORD: ThreadRecord = { messages: new Map(), draft: '' }

/** Two changes, one after the other, as one. */
export function mergeChanges(first: ThreadChange | undefined, second: ThreadChange): ThreadChange {
  if (first === undefined || second.removed) return second
  const { thread = first.thread, state = first.state, draft = first.draft } = second
  return { removed: first.removed, thread, state, draft, messages: new Map([...(first.messages ?? []), ...(second.messages ?? [])]) }
}

/** A record with a change that is not written yet. */
export function withChange(record: ThreadRecord, change: ThreadChange | undefined): ThreadRecord {
  if (change === undefined) return record
  const before = change.removed ? NO_RECORD : record
  const messages = new Map(before.messages)
  for (const [id, message] of change.messages ?? []) {
    if (message === undefined) messages.delete(id)
    else messages.set(id, message)
  }
  return { thread: change.thread ?? before.thread, state: change.state ?? before.state, draft: change.draft ?? before.draft, messages }
}
