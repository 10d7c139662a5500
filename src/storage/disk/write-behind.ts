import { noop } from '../../base/noop.ts'
import type { Persistence } from '../../state/thread.ts'
import { joinPast } from '../records/join-past.ts'
import { isUnfinished } from '../records/read-record.ts'
import { type CheckedDisk, type CheckedDiskOptions, createCheckedDisk, nameOf } from './checked-disk.ts'
import type { AcquiredTerm, StoredThread, ThreadChange, ThreadDisk, ThreadRecord } from '../records/thread-disk.ts'
import { NO_RECORD, idsIn, mergeChanges, withChange, withoutState } from '../records/thread-disk.ts'

/** Backoff between attempts to write what waits: doubled after each one, up to the longest. Without end, as space may come at any time. */
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 60_000

/**
 * A disk that never rejects. What could not be written stays in memory, is read from there, and is tried again: after a
 * backoff, with the next write, and when {@link WriteBehind.retry} is called. No retry follows where a newer version of
 * the app has been, as only a reload helps there.
 */
export interface WriteBehind extends Omit<ThreadDisk, 'write' | 'acquireTerm' | 'close' | 'setAside' | 'generation'> {
  readonly persistence: Persistence
  /** Names the data between two sign-outs; undefined where no disk can be opened. */
  generation(): Promise<string | undefined>
  /** A term, from the disk if it gives one out. */
  acquireTerm(id: string, atLeast: number): Promise<WriteBehindTerm>
  /** Forgets what waits to be written of a conversation that was deleted elsewhere. */
  drop(id: string): void
  /** Resolves after the attempt: true when it is on the disk. */
  write(id: string, change: ThreadChange): Promise<boolean>
  /** Tries now what failed before. Nothing happens when nothing did. */
  retry(): Promise<void>
  /** Discards all data and ignores later writes. */
  forget(): void
  /** Closes the disk after one attempt to write the pending changes. */
  close(): void
}

export interface WriteBehindTerm extends AcquiredTerm {
  /** The disk issued the term. Otherwise nothing on the disk may be overwritten. */
  readonly isFenced: boolean
  /** Whether the disk was read. Otherwise it may contain data that is not known here. */
  readonly isRead: boolean
  /**
   * Ids of the messages on the disk, queued ones included. The record also contains the changes that are not written
   * yet.
   */
  readonly stored: readonly string[]
}

export interface WriteBehindOptions extends CheckedDiskOptions {
  /** A run that was left longer ago, in milliseconds, does not resume automatically. */
  readonly resumeWithinMs: number
  readonly onPersistenceChange: () => void
  /**
   * A change of that term was refused: another leader has acquired the conversation since. Its pending changes are
   * dropped. Returns true when an open chat handles the refusal.
   */
  readonly onRefused: (id: string, term: number | undefined) => boolean
}

export function createWriteBehind(options: WriteBehindOptions): WriteBehind {
  const { resumeWithinMs, onPersistenceChange, onRefused, clock } = options
  const pending = new Map<string, ThreadChange>()
  let persistence: Persistence = { where: 'opening' }
  const disk = createCheckedDisk(options)
  let turn: Promise<void> = Promise.resolve()
  let life: 'open' | 'closed' | 'gone' = 'open'
  let retryMs = FIRST_RETRY_MS
  let refusals = 0
  /** Whether the last acquisition of a term failed: a successful read does not prove that writing works. */
  let isReadOnly = false
  let cancelRetry: (() => void) | undefined

  function keep(next: Persistence): void {
    if (persistence.where === 'nowhere' || JSON.stringify(next) === JSON.stringify(persistence)) return
    persistence = next
    onPersistenceChange()
  }

  function worked(): void {
    cancelRetry?.()
    cancelRetry = undefined
    retryMs = FIRST_RETRY_MS
    keep({ where: 'disk' })
  }

  function failed(error: unknown): void {
    keep({ where: 'memory', reason: reasonOf(error, disk.isOpen) })
    if (life !== 'open') return
    cancelRetry ??= clock.after(retryMs, () => {
      cancelRetry = undefined
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
      void retry()
    })
  }

  /** What the disk says, else undefined. */
  async function ask<Value>(question: (disk: CheckedDisk) => Promise<Value>): Promise<Value | undefined> {
    if (life === 'gone') return undefined
    try {
      const value = await question(disk)
      if (pending.size === 0 && !isReadOnly) worked()
      return isGone() ? undefined : value
    } catch (error) {
      failed(error)
      return undefined
    }
  }

  /** A function, because it is checked again after an `await` during which the user may sign out. */
  function isGone(): boolean {
    return life === 'gone'
  }

  async function writeAll(batch: ReadonlyMap<string, ThreadChange>): Promise<void> {
    const refused = await disk.write(batch)
    // Keeps the changes that were made during the write.
    for (const [id, change] of batch) if (pending.get(id) === change) pending.delete(id)
    if (refused.length < batch.size) isReadOnly = false
    for (const id of refused) await refuse(id, batch.get(id))
  }

  async function refuse(id: string, change: ThreadChange | undefined): Promise<void> {
    const later = pending.get(id)
    // This tab has acquired the conversation since then, and writes its whole state again.
    if (later !== undefined && (later.term ?? 0) > (change?.term ?? 0)) return
    // Changes made during the write are based on the refused state.
    if (later !== undefined) pending.set(id, withoutState(later))
    refusals += 1
    if (onRefused(id, change?.term) || change?.state === undefined) return
    // A change of a chat that is closed by now and could not be written before: it is appended to the state on the
    // disk.
    pending.set(id, change)
    const { record, term, removed } = await disk.acquireTerm(id, 0)
    // Without a term, the writer could not know of the removal.
    const isRemoved = change.term !== 0 && removed > (change.term ?? 0)
    if (!isRemoved) await disk.write(new Map([[id, joinPast(record, change, term)]]))
    if (pending.get(id) === change) pending.delete(id)
  }

  /**
   * Reads without a term: a full disk rejects writes and can still be read. The state known here is the newest one
   * then.
   */
  async function readInstead(id: string, atLeast: number): Promise<Omit<WriteBehindTerm, 'stored'>> {
    isReadOnly = disk.isOpen
    const record = await ask((opened) => opened.read(id))
    return {
      term: Math.max(atLeast, record?.state?.term ?? 0) + 1,
      removed: 0,
      removedAt: 0,
      record: record ?? NO_RECORD,
      isFenced: false,
      isRead: record !== undefined,
    }
  }

  async function flush(): Promise<void> {
    const batch = new Map(pending)
    if (batch.size === 0 || life === 'gone') return
    try {
      await writeAll(batch)
    } catch (error) {
      const problem = batch.size > 1 && disk.isOpen && nameOf(error) !== 'TimeoutError' ? await writeEach(batch) : error
      if (problem !== undefined) return failed(problem)
    }
    if (!isReadOnly) worked()
  }

  /** A thread the disk refuses must not keep the others from it. */
  async function writeEach(batch: ReadonlyMap<string, ThreadChange>): Promise<unknown> {
    let problem: unknown
    for (const entry of batch) {
      try {
        await writeAll(new Map([entry]))
      } catch (error) {
        problem = error
      }
    }
    return problem
  }

  /** Runs tasks in order, so that no write happens during a read. */
  async function inTurn<Value>(task: () => Promise<Value>): Promise<Value> {
    const before = turn
    const own = (async () => {
      await before
      return task()
    })()
    const over = own.then(noop, noop)
    turn = over
    const value = await own
    if (turn === over && life === 'closed') disk.close()
    return value
  }

  /** Changes that come while one is written go together into the next. */
  function drain(): Promise<void> {
    return inTurn(flush)
  }

  async function retry(): Promise<void> {
    if (persistence.where !== 'memory' || persistence.reason === 'newer') return
    if (!disk.isOpen) await disk.reopen()
    await drain()
    if (pending.size === 0) await ask((opened) => opened.threads())
  }

  function forget(): void {
    life = 'gone'
    cancelRetry?.()
    pending.clear()
    keep({ where: 'nowhere' })
  }

  function read(id: string): Promise<ThreadRecord> {
    return inTurn(async () => withChange((await ask((opened) => opened.read(id))) ?? NO_RECORD, pending.get(id)))
  }

  /**
   * A run that was left longer ago than `resumeWithinMs` does not resume automatically, so its thread has failed. A run that ended with
   * a question waits for the user, however old it is.
   */
  async function settled(thread: StoredThread): Promise<StoredThread> {
    if (!isUnfinished(thread.status)) return thread
    const { state } = await read(thread.id)
    if (thread.status === 'awaiting-input' && state !== undefined && state.run?.ended !== false) return thread
    return state?.run === undefined || clock.date() - state.revision > resumeWithinMs
      ? { ...thread, status: 'failed' }
      : thread
  }

  return {
    get persistence() {
      return persistence
    },
    async threads() {
      const kept = (await inTurn(() => ask((opened) => opened.threads()))) ?? []
      const all = new Map(kept.map((thread): [string, StoredThread] => [thread.id, thread]))
      for (const [id, { removed, thread }] of pending) {
        if (removed) all.delete(id)
        if (thread) all.set(id, thread)
      }
      return Promise.all([...all.values()].map(settled))
    },
    read,
    acquireTerm: (id, atLeast) =>
      inTurn(async () => {
        // What this tab wrote as an earlier leader comes first.
        await flush()
        const { record, ...acquired } =
          (await ask(async (opened) => ({
            ...(await opened.acquireTerm(id, atLeast)),
            isFenced: true,
            isRead: true,
          }))) ?? (await readInstead(id, atLeast))
        if (acquired.isFenced) isReadOnly = false
        return { ...acquired, stored: idsIn(record), record: withChange(record, pending.get(id)) }
      }),
    generation: () => ask((opened) => opened.generation()),
    drop: (id) => void pending.delete(id),
    async write(id, change) {
      if (life === 'gone') return false
      pending.set(id, mergeChanges(pending.get(id), change))
      const before = refusals
      await drain()
      return !pending.has(id) && refusals === before
    },
    retry,
    async wipe() {
      forget()
      await turn
      try {
        await disk.wipe()
      } catch {
        // A database that cannot be opened cannot be deleted here.
      }
    },
    forget,
    close() {
      if (life === 'open') life = 'closed'
      cancelRetry?.()
      cancelRetry = undefined
      void drain()
    },
  }
}

/** Maps an error of the disk to the `reason` of {@link Persistence}. */
function reasonOf(error: unknown, isOpen: boolean): 'unavailable' | 'full' | 'newer' | 'failed' {
  const name = nameOf(error)
  if (name === 'QuotaExceededError') return 'full'
  if (name === 'VersionError') return 'newer'
  return isOpen ? 'failed' : 'unavailable'
}
