/**
 * Status of a conversation in a list. `running`: an answer is generated. `awaiting-input`: the agent has asked something and waits
 * for the user. `failed`: until its last answer is requested again.
 */
export type ThreadStatus = 'idle' | 'running' | 'awaiting-input' | 'failed'

/** One conversation as a list shows it. */
export interface Thread {
  /** The conversation's id. */
  readonly id: string
  /** What the user called it, else the beginning of their first message; empty when that had no words. */
  readonly title: string
  readonly status: ThreadStatus
  /** It has an unread answer. */
  readonly unread: boolean
  /** Epoch milliseconds of its first message. */
  readonly createdAt: number
  /** Epoch milliseconds of the last message or its ending. */
  readonly updatedAt: number
}

/**
 * Where threads are saved. `opening`: not known yet. `disk`: in IndexedDB, so they are there after a reload. `memory`: only for
 * this page; `unavailable`: the browser has no storage here, `full`: the quota is used up, `newer`: the database has a newer
 * version, `failed`: reading or writing failed in another way. Pending writes are retried, except after `newer`; once they
 * succeed, it is `disk` again. `nowhere`: the user signed out.
 */
export type Persistence =
  | { readonly where: 'opening' | 'disk' | 'nowhere' }
  | { readonly where: 'memory'; readonly reason: 'unavailable' | 'full' | 'newer' | 'failed' }

export interface ThreadsSnapshot {
  /** `loading` until the saved threads have been read. */
  readonly status: 'loading' | 'ready'
  /** Newest first. */
  readonly threads: readonly Thread[]
  readonly persistence: Persistence
}

/** The saved conversations of a user: a snapshot and methods. No method throws or rejects. */
export interface Threads {
  getSnapshot(): ThreadsSnapshot
  subscribe(listener: () => void): () => void
  /** Renames a thread. An empty title restores the words it began with. */
  rename(id: string, title: string): void
  /** Deletes a thread in every tab and ends its run. Resolves with a function that restores it. */
  remove(id: string): Promise<() => Promise<void>>
  /** Marks a thread as read. */
  markRead(id: string): void
  /** Reads the saved draft of a thread; empty without one. */
  readDraft(id: string): Promise<string>
  /** Saves the draft of a thread. */
  writeDraft(id: string, text: string): void
}
