import type { Keeping } from '../state/thread.ts'
import type { StoredThread, ThreadChange, ThreadDisk, ThreadRecord } from './thread-disk.ts'
import { NO_RECORD, mergeChanges, withChange } from './thread-disk.ts'

/** A disk that never rejects. What could not be written stays in memory, is read from there, and is written when there is room again. */
export interface WriteBehind extends Omit<ThreadDisk, 'write' | 'close'> {
  readonly keeping: Keeping
  /** Resolves when it was tried. */
  write(id: string, change: ThreadChange): Promise<void>
  /** Keeps nothing from now on: what is written goes nowhere. */
  forget(): void
  close(): void
}

export interface WriteBehindOptions {
  readonly open: () => Promise<ThreadDisk>
  readonly onKeeping: () => void
}

export function createWriteBehind({ open, onKeeping }: WriteBehindOptions): WriteBehind {
  const pending = new Map<string, ThreadChange>()
  let keeping: Keeping = { where: 'opening' }
  let disk: Promise<ThreadDisk> | undefined
  let writing: Promise<void> | undefined
  let gone = false

  function keep(next: Keeping): void {
    if (keeping.where === 'nowhere' || JSON.stringify(next) === JSON.stringify(keeping)) return
    keeping = next
    onKeeping()
  }

  function opened(): Promise<ThreadDisk> {
    disk ??= open()
    return disk
  }

  /** What the disk says, else `instead`. */
  async function ask<Value>(question: (disk: ThreadDisk) => Promise<Value>, instead: Value): Promise<Value> {
    if (gone) return instead
    try {
      const value = await question(await opened())
      if (pending.size === 0) keep({ where: 'disk' })
      return gone ? instead : value
    } catch (error) {
      keep({ where: 'memory', reason: reasonOf(error, keeping) })
      return instead
    }
  }

  async function flush(mayReopen = true): Promise<void> {
    const batch = new Map(pending)
    if (batch.size === 0 || gone) return
    try {
      await (await opened()).write(batch)
      // What was said meanwhile is still to be written.
      for (const [id, change] of batch) if (pending.get(id) === change) pending.delete(id)
      keep({ where: 'disk' })
    } catch (error) {
      // Closed from outside: whether there is another to be had shows at once.
      if (mayReopen && nameOf(error) === 'InvalidStateError') {
        disk = undefined
        return flush(false)
      }
      keep({ where: 'memory', reason: reasonOf(error, keeping) })
    }
  }

  /** One transaction after the other, so that none overtakes; changes that come meanwhile go together into the next. */
  async function drain(): Promise<void> {
    const before = writing
    const own = (async () => {
      await before
      await flush()
    })()
    writing = own
    await own
    if (writing === own) writing = undefined
  }

  function forget(): void {
    gone = true
    pending.clear()
    keep({ where: 'nowhere' })
  }

  return {
    get keeping() {
      return keeping
    },
    async threads() {
      await writing
      const kept = await ask((known) => known.threads(), [])
      const all = new Map(kept.map((thread): [string, StoredThread] => [thread.id, thread]))
      for (const [id, { removed, thread }] of pending) {
        if (removed) all.delete(id)
        if (thread) all.set(id, thread)
      }
      return [...all.values()]
    },
    async read(id): Promise<ThreadRecord> {
      // What was said before is read, whether it is written by then or not.
      await writing
      return withChange(await ask((known) => known.read(id), NO_RECORD), pending.get(id))
    },
    async write(id, change) {
      if (gone) return
      pending.set(id, mergeChanges(pending.get(id), change))
      await drain()
    },
    async wipe() {
      const known = disk
      forget()
      try {
        await writing
        await (await (known ?? open())).wipe()
      } catch {
        // What cannot be opened holds nothing we wrote.
      }
    },
    forget,
    close() {
      void disk?.then((known) => known.close()).catch(() => {})
    },
  }
}

function nameOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'name') : undefined
}

function reasonOf(error: unknown, before: Keeping): 'unavailable' | 'full' | 'newer' | 'failed' {
  const name = nameOf(error)
  if (name === 'QuotaExceededError') return 'full'
  if (name === 'VersionError') return 'newer'
  return before.where === 'opening' || (before.where === 'memory' && before.reason === 'unavailable') ? 'unavailable' : 'failed'
}
