export type { Persistence, Thread, Threads } from './state/thread.ts'
export type { StoredMessage } from './storage/records/stored-message.ts'
export type {
  AcquiredTerm,
  StoredThread,
  ThreadChange,
  ThreadDisk,
  ThreadRecord,
} from './storage/records/thread-disk.ts'
export { createThreadStore, type ThreadStore, type ThreadStoreOptions } from './storage/thread-store.ts'
export {
  type RemoteMessage,
  type RemoteThread,
  type RemoteThreads,
  remoteThreads,
  type RemoteSource,
} from './storage/remote-threads.ts'
