import { report } from '../base/ports/environment.ts'
import type { ChatMaker } from '../state/chat-options.ts'
import type { Threads } from '../state/thread.ts'
import type { StoragePorts } from './tabs/chat-storage.ts'
import type { RemoteSource } from './remote-link.ts'
import type { DamagedRecord } from './records/thread-disk.ts'

export interface ThreadStoreOptions {
  /** The app's name: stores of other names, on the same origin, are left alone. */
  readonly name: string
  /**
   * Whose threads they are, by an id that is not a secret: it becomes part of the database's name. Each user has a
   * database of their own.
   *
   * @default ''
   */
  readonly user?: string | undefined
  /**
   * How long after a page was left its run is resumed automatically, in milliseconds. CAP servers keep an
   * answer as long as the default.
   *
   * @default 600_000
   */
  readonly resumeWithinMs?: number | undefined
  /**
   * Called with each record on the disk that was damaged, once per page, with the record as it was there. What is left of
   * the conversation is shown and continues: see `docs/persistence.md`. An error it throws is reported like one of an event handler.
   * @default reports an error that names conversation and problem, without their words, as `reportError` does
   */
  readonly onDamaged?: ((damaged: DamagedRecord) => void) | undefined
  /**
   * Conversations that a server keeps, see `remoteThreads`: those that are not on this device are on the list, and their messages are
   * fetched when one is opened. Renaming and deleting reach the server too; restoring a deleted thread restores it on this device.
   * Absent: the list has what is on this device.
   */
  readonly remote?: RemoteSource | undefined
  /** Other ways to keep things and to talk to other tabs: replaced in tests. @default the platform's */
  readonly ports?: Partial<StoragePorts> | undefined
}

/** Conversations that outlive the page, the same in all tabs. Give it to `AgentProvider` or `useCapChat` as `store`. */
export interface ThreadStore extends Threads, ChatMaker {
  /**
   * The user signs out: ends every run, deletes everything this store saved and notifies the other tabs, where the same
   * happens. Resolves when it is gone. From then on it keeps nothing; another sign-in makes another store.
   */
  wipe(): Promise<void>
  /** Writes what is not written yet and lets go of the database. */
  close(): void
}

/** The default of `onDamaged`. */
export function reportDamage({ kind, threadId, problem }: DamagedRecord): void {
  report(
    new Error(
      `A record of conversation ${threadId} on this device was damaged: ${kind} (${problem}). It was left out or repaired. Pass onDamaged to createThreadStore to look at it.`,
    ),
  )
}
