export type { Persistence, Thread, ThreadStatus, Threads, ThreadsSnapshot } from './state/thread.ts'
export type { StoragePorts } from './storage/tabs/chat-storage.ts'
export type { StoredError, StoredMessage } from './storage/records/stored-message.ts'
export type { MessageChanges, StoredState, Version } from './storage/records/stored-state.ts'
export type { TabLocks } from './storage/tabs/leader-election.ts'
export type { TabChannel } from './storage/tabs/tab-channel.ts'
export type {
  AcquiredTerm,
  DamagedRecord,
  DiskEvents,
  StoredThread,
  ThreadChange,
  ThreadDisk,
  ThreadRecord,
} from './storage/records/thread-disk.ts'
export { createThreadStore } from './storage/thread-store.ts'
export type { ThreadStore, ThreadStoreOptions } from './storage/thread-store-options.ts'
export type { RemoteSource } from './storage/remote-link.ts'
export {
  remoteThreads,
  type RemoteMessage,
  type RemoteRequest,
  type RemoteThread,
  type RemoteThreads,
} from './storage/remote-threads.ts'
