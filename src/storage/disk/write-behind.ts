import type { Clock } from '../../base/clock.ts'
import type { Keeping } from '../../state/thread.ts'
import { nameOf, reasonOf } from './disk-failure.ts'
import { joinPast } from '../records/join-past.ts'
import { createReopenableDisk } from './reopenable-disk.ts'
import type { Claim, StoredThread, ThreadChange, ThreadDisk } from '../records/thread-disk.ts'
import { NO_RECORD, idsIn, mergeChanges, withChange, withoutState } from '../records/thread-disk.ts'

/** Backoff between attempts to write what waits: doubled after each one, up to the longest. Without end, as room may come at any time. */
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 60_000

/**
 * A disk that never rejects. What could not be written stays in memory, is read from there, and is tried again: after a
 * backoff, with the next write, and when {@link WriteBehind.retry} is called. No retry follows where a newer version of
 * the app has been, as only a reload helps there.
 */
export interface WriteBehind extends Omit<ThreadDisk, 'write' | 'claim' | 'close' | 'setAside' | 'generation'> {
  readonly keeping: Keeping
  /** Names the data between two sign-outs; undefined where no disk can be opened. */
  generation(): Promise<string | undefined>
  /** A term, from the disk if it gives one out. */
  claim(id: string, atLeast: number): Promise<WriteBehindClaim>
  /** Forgets what waits to be written of a conversation that was deleted elsewhere. */
  drop(id: string): void
  /** Resolves when it was tried: true when it stands on the disk. */
  write(id: string, change: ThreadChange): Promise<boolean>
  /** Tries now what failed before. Nothing happens when nothing did. */
  retry(): Promise<void>
  /** Keeps nothing from now on: what is written goes nowhere. */
  forget(): void
  /** Lets go of the disk once what waits was tried. */
  close(): void
}

export interface WriteBehindClaim extends Claim {
  /** The disk gave the term out. Otherwise nothing that stands there may be written over. */
  readonly isFenced: boolean
  /** The disk was read. Otherwise something may stand there that is not known here. */
  readonly isRead: boolean
  /** Ids of the messages that stand there, queued ones too; the record has in addition what waits to be written. */
  readonly stored: readonly string[]
}

export interface WriteBehindOptions {
  readonly open: () => Promise<ThreadDisk>
  readonly onKeeping: () => void
  /**
   * A change of that term was refused: another leader has claimed the conversation since. What waited of it is forgotten.
   * True when a chat that is open here sees to that.
   */
  readonly onRefused: (id: string, term: number | undefined) => boolean
  readonly clock: Clock
}

export function createWriteBehind({ open, onKeeping, onRefused, clock }: WriteBehindOptions): WriteBehind {
  const pending = new Map<string, ThreadChange>()
  let keeping: Keeping = { where: 'opening' }
  const disk = createReopenableDisk(open, clock)
  let turn: Promise<void> = Promise.resolve()
  let life: 'open' | 'closed' | 'gone' = 'open'
  let retryMs = FIRST_RETRY_MS
  let refusals = 0
  /** The last claim failed: what can be read says nothing about writing. */
  let isReadOnly = false
  let cancelRetry: (() => void) | undefined

  function keep(next: Keeping): void {
    if (keeping.where === 'nowhere' || JSON.stringify(next) === JSON.stringify(keeping)) return
    keeping = next
    onKeeping()
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
  async function ask<Value>(question: (disk: ThreadDisk) => Promise<Value>): Promise<Value | undefined> {
    if (life === 'gone') return undefined
    try {
      const value = await disk.ask(question)
      if (pending.size === 0 && !isReadOnly) worked()
      return isGone() ? undefined : value
    } catch (error) {
      failed(error)
      return undefined
    }
  }

  /** Asked anew after a wait, in which a sign-out may have come. */
  function isGone(): boolean {
    return life === 'gone'
  }

  async function writeAll(batch: ReadonlyMap<string, ThreadChange>): Promise<void> {
    const refused = await disk.ask((opened) => opened.write(batch))
    // What was said meanwhile is still to be written.
    for (const [id, change] of batch) if (pending.get(id) === change) pending.delete(id)
    if (refused.length < batch.size) isReadOnly = false
    for (const id of refused) await refuse(id, batch.get(id))
  }

  async function refuse(id: string, change: ThreadChange | undefined): Promise<void> {
    const later = pending.get(id)
    // This tab has claimed it since, and writes all of it anew.
    if (later !== undefined && (later.term ?? 0) > (change?.term ?? 0)) return
    // Changes that came meanwhile were made to the state that was refused.
    if (later !== undefined) pending.set(id, withoutState(later))
    refusals += 1
    if (onRefused(id, change?.term) || change?.state === undefined) return
    // Of a chat that is not shown any more, and could not be written then: it follows what stands there.
    pending.set(id, change)
    const { record, term, removed } = await disk.ask((opened) => opened.claim(id, 0))
    // Without a term it was said by somebody who could not know of the removal.
    const isRemoved = change.term !== 0 && removed > (change.term ?? 0)
    if (!isRemoved) await disk.ask((opened) => opened.write(new Map([[id, joinPast(record, change, term)]])))
    if (pending.get(id) === change) pending.delete(id)
  }

  /** A disk that takes no writes, because it is full, can still be read. What is known then is the newest there is. */
  async function readInstead(id: string, atLeast: number): Promise<Omit<WriteBehindClaim, 'stored'>> {
    isReadOnly = disk.isOpen
    const record = await ask((opened) => opened.read(id))
    return { term: Math.max(atLeast, record?.state?.term ?? 0) + 1, removed: 0, removedAt: 0, record: record ?? NO_RECORD, isFenced: false, isRead: record !== undefined }
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

  /** One after the other, so that none overtakes: what is read was not written meanwhile. */
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
    if (keeping.where !== 'memory' || keeping.reason === 'newer') return
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

  return {
    get keeping() {
      return keeping
    },
    async threads() {
      const kept = (await inTurn(() => ask((opened) => opened.threads()))) ?? []
      const all = new Map(kept.map((thread): [string, StoredThread] => [thread.id, thread]))
      for (const [id, { removed, thread }] of pending) {
        if (removed) all.delete(id)
        if (thread) all.set(id, thread)
      }
      return [...all.values()]
    },
    read: (id) => inTurn(async () => withChange((await ask((opened) => opened.read(id))) ?? NO_RECORD, pending.get(id))),
    claim: (id, atLeast) =>
      inTurn(async () => {
        // What this tab wrote as an earlier leader comes first.
        await flush()
        const { record, ...claimed } = (await ask(async (opened) => ({ ...(await opened.claim(id, atLeast)), isFenced: true, isRead: true }))) ?? (await readInstead(id, atLeast))
        if (claimed.isFenced) isReadOnly = false
        return { ...claimed, stored: idsIn(record), record: withChange(record, pending.get(id)) }
      }),
    generation: () => ask(async ({ generation }) => generation),
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
        // What cannot be opened cannot be deleted from here.
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

function noop(): void {}
