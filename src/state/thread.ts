/** How a conversation stands in a list: `failed` until its last answer is asked for again. */
export type ThreadStatus = 'idle' | 'running' | 'failed'

/** One conversation as a list shows it. */
export interface Thread {
  /** The conversation's id. */
  readonly id: string
  /** What the person called it, else the beginning of their first message; empty when that had no words. */
  readonly title: string
  readonly status: ThreadStatus
  /** Something came that nobody has seen yet. */
  readonly unread: boolean
  /** Epoch milliseconds of its first message. */
  readonly createdAt: number
  /** Epoch milliseconds of the last message or its ending. */
  readonly updatedAt: number
}

/**
 * Where threads are kept. `opening`: not known yet. `disk`: they outlive the page. `memory`: they do not, though everything
 * else works; `unavailable`: the browser gives no storage here, `full`: there is no room, `newer`: a newer version of the
 * app has been here, `failed`: reading or writing failed in another way. What waits is tried again, except after `newer`;
 * when it works, it is `disk` again. `nowhere`: the person signed out.
 */
export type Keeping =
  | { readonly where: 'opening' | 'disk' | 'nowhere' }
  | { readonly where: 'memory'; readonly reason: 'unavailable' | 'full' | 'newer' | 'failed' }

export interface ThreadsSnapshot {
  /** `loading` until what was kept has been read. */
  readonly status: 'loading' | 'ready'
  /** Newest first. */
  readonly threads: readonly Thread[]
  readonly keeping: Keeping
}

/** The conversations a person has had: state to read, verbs to act. No verb throws or rejects. */
export interface Threads {
  getSnapshot(): ThreadsSnapshot
  subscribe(listener: () => void): () => void
  /** Gives a thread a title of the person's own. An empty one brings back the words it began with. */
  rename(id: string, title: string): void
  /** Deletes a thread at once and everywhere, ending its run. The function it resolves with puts it back. */
  remove(id: string): Promise<() => Promise<void>>
  /** Somebody has seen what was new. */
  markRead(id: string): void
  /** What stood in the box of a thread when it was left; empty when nothing did. */
  readDraft(id: string): Promise<string>
  /** Keeps what stands in the box. */
  writeDraft(id: string, text: string): void
}
