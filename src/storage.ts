export type { Persistence, Thread, Threads } from './state/thread.ts'
export type { StoredMessage } from './storage/records/stored-message.ts'
export type {
  AcquiredTerm,
  StoredThread,
  ThreadChange,
  ThreadDisk,
  ThreadRecord,
} from './storage/records/thread-disk.ts'
export { createThreadStore } from './storage/thread-store.ts'
export type { ThreadStore, ThreadStoreOptions } from './storage/thread-store-options.ts'
export type { RemoteMessage, RemoteThread, RemoteThreads } from './storage/remote-threads.ts'
export { remoteThreads } from './storage/remote-threads.ts'
export type { RemoteSource } from './storage/remote-link.ts'
