import type { Clock } from '../../base/ports/clock.ts'
import type { Visibility } from '../../base/ports/environment.ts'
import type { ChatStatus, ChatState } from '../../state/chat-snapshot.ts'
import type { TabLocks } from './leader-election.ts'
import type { TabChannel } from './tab-message.ts'
import type { DiskEvents, ThreadChange, ThreadDisk } from '../records/thread-disk.ts'
import type { WriteBehind } from '../disk/write-behind.ts'

/** Everything a store takes from the outside. Replace any of it to test, or to keep threads elsewhere. */
export interface StoragePorts {
  readonly clock: Clock
  readonly visibility: Visibility
  /** Opens the database of a name. */
  readonly openDisk: (name: string, events: DiskEvents) => Promise<ThreadDisk>
  /** Leader election over all tabs. Absent: every tab has its own connection. */
  readonly locks?: TabLocks | undefined
  /** A way to talk to other tabs. Absent: they learn of each other by the disk alone. */
  readonly openChannel?: ((name: string) => TabChannel | undefined) | undefined
  /** Calls back when the page may be about to go. The returned function stops that. */
  readonly onLeave: (listener: () => void) => () => void
}

/** What a leader writes: it carries the leader's fencing token. */
export type LeaderChange = ThreadChange & { readonly term: number }

/** Where a stored chat lives. */
export interface ChatStorage {
  /** Of the app and its user: the beginning of the names of locks and channels. */
  readonly name: string
  readonly ports: StoragePorts
  readonly disk: WriteBehind
  /** A run that was left longer ago is not resumed automatically. */
  readonly resumeWithinMs: number
  /**
   * Writes a leader's change, with what the list of threads says of it. Resolves when it was tried, with true when it
   * is on the disk; the chat is notified before that if it was overtaken.
   */
  keep(id: string, state: ChatState, status: ChatStatus, change: LeaderChange): Promise<boolean>
  /** The newest of a chat is shown here. */
  onShown(id: string): void
  /** The user has signed out: a chat that continues does so in memory only. */
  isOver(): boolean
}
