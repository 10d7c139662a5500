import type { WriteBehind } from './disk/write-behind.ts'
import type { StoredThread } from './records/thread-disk.ts'
import type { StoredChat } from './stored-chat.ts'

/** What a server that keeps conversations needs of a store. */
export interface LinkedStore {
  readonly disk: Pick<WriteBehind, 'read' | 'write'>
  /** The threads of this device, by id. */
  readonly threads: ReadonlyMap<string, StoredThread>
  /** Puts threads on the list. */
  list(threads: readonly StoredThread[]): void
  /** Opens the store. */
  open(): Promise<void>
}

/** A store and the server that keeps its conversations. */
export interface RemoteLink {
  /** Fetches the list, once. */
  start(): void
  /** The same chat, whose messages are fetched before it resumes where this device has none. */
  filled(chat: StoredChat): StoredChat
  rename(id: string, title: string): void
  remove(id: string): void
}

/** A server that keeps conversations, made by `remoteThreads`: a store without one carries none of its code. */
export interface RemoteSource {
  link(store: LinkedStore): RemoteLink
}
