import { isRecord, isString } from '../../base/guards.ts'
import type { Clock } from '../../base/ports/clock.ts'
import { report } from '../../base/ports/environment.ts'
import { readRecord, readThread } from '../records/read-record.ts'
import { isThread } from '../records/stored-fields.ts'
import type { DamagedRecord, StoredThread, ThreadDisk, ThreadRecord } from '../records/thread-disk.ts'

/** Time limit for opening, in milliseconds. After that, another tab blocks the database, or it never opens. */
const OPENING_MS = 5000
/**
 * Time limit for a transaction, in milliseconds. A browser may never settle one, and it must not block the other
 * threads for ever.
 */
const ANSWER_MS = 10_000

/**
 * A disk that is opened when it is first used, and again when its connection was closed from outside. Every call has a time limit.
 * Damaged records never reach a chat: they are reported, once each, and set aside where the disk can do that. A thread that cannot be
 * read never stops another.
 */
export interface CheckedDisk extends Omit<ThreadDisk, 'generation' | 'setAside'> {
  readonly isOpen: boolean
  generation(): Promise<string>
  /** Reopens a disk in the background, so that callers that work from memory do not wait for it. */
  reopen(): Promise<void>
  /** Deletes the data; a database that did not open before is opened for that, as it may hold what an earlier page wrote. */
  wipe(): Promise<void>
}

export interface CheckedDiskOptions {
  open(): Promise<ThreadDisk>
  onDamaged(damaged: DamagedRecord): void
  readonly clock: Clock
}

/** Notes a record that is damaged. */
type Note = (damaged: DamagedRecord) => void

export function createCheckedDisk({ open, onDamaged, clock }: CheckedDiskOptions): CheckedDisk {
  let disk: Promise<ThreadDisk> | undefined
  let isOpen = false
  let reopening: Promise<void> | undefined
  const reported = new Set<string>()

  async function openAnew(): Promise<ThreadDisk> {
    const opened = await withTimeLimit(open(), {
      clock,
      ms: OPENING_MS,
      what: 'Opening the database',
      onLate: (late) => late.close(),
    })
    isOpen = true
    return opened
  }

  async function onDisk<Value>(question: (disk: ThreadDisk) => Promise<Value>): Promise<Value> {
    const used = (disk ??= openAnew())
    try {
      return await question(await used)
    } catch (error) {
      if (nameOf(error) !== 'InvalidStateError') throw error
      if (disk === used) {
        isOpen = false
        disk = openAnew()
      }
      return question(await (disk ?? used))
    }
  }

  /** Asks the disk, and once more on a new connection when this one was closed from outside. */
  function ask<Value>(question: (disk: ThreadDisk) => Promise<Value>): Promise<Value> {
    return onDisk((opened) =>
      withTimeLimit(question(opened), { clock, ms: ANSWER_MS, what: 'An answer of the database' }),
    )
  }

  async function replace(): Promise<void> {
    const next = openAnew()
    try {
      await next
      disk = next
    } catch {
      // Keeps the previous disk; another attempt follows.
    }
    reopening = undefined
  }

  /** Gives what `reading` made, after what it noted was set aside: what follows may write over it. */
  async function quarantine<Value>(opened: ThreadDisk, reading: (note: Note) => Value): Promise<Value> {
    const damaged: DamagedRecord[] = []
    const value = reading((found) => {
      const key = JSON.stringify([found.kind, found.threadId, found.messageId, found.problem])
      if (reported.has(key)) return
      reported.add(key)
      damaged.push(found)
    })
    if (damaged.length > 0) {
      try {
        await opened.setAside?.(damaged)
      } catch {
        // A copy for developers, which nothing depends on.
      }
      for (const found of damaged) tell(found)
    }
    return value
  }

  function tell(found: DamagedRecord): void {
    try {
      onDamaged(found)
    } catch (error) {
      report(error)
    }
  }

  async function recordOf(opened: ThreadDisk, id: string): Promise<ThreadRecord> {
    const record: unknown = await opened.read(id)
    return quarantine(opened, (note) => readRecord(id, record, note))
  }

  async function listed(opened: ThreadDisk, row: unknown): Promise<StoredThread | undefined> {
    const id = isRecord(row) ? row.id : undefined
    if (!isString(id)) {
      await quarantine(opened, (note) => note({ kind: 'thread', threadId: String(id), problem: 'id', record: row }))
      return undefined
    }
    if (isThread(row)) return row
    try {
      const record = await recordOf(opened, id)
      return await quarantine(opened, (note) => readThread(id, row, record, note))
    } catch {
      return undefined
    }
  }

  return {
    get isOpen() {
      return isOpen
    },
    generation: () => ask(async ({ generation }) => generation),
    threads: () =>
      ask(async (opened) => {
        const rows: unknown = await opened.threads()
        const all = await Promise.all((Array.isArray(rows) ? rows : []).map((row) => listed(opened, row)))
        return all.filter((thread) => thread !== undefined)
      }),
    read: (id) => ask((opened) => recordOf(opened, id)),
    acquireTerm: (id, atLeast) =>
      ask(async (opened) => {
        const { record, ...acquired } = await opened.acquireTerm(id, atLeast)
        return { ...acquired, record: await quarantine(opened, (note) => readRecord(id, record, note)) }
      }),
    write: (changes) => ask((opened) => opened.write(changes)),
    reopen: () => (reopening ??= replace()),
    async wipe() {
      disk = disk?.catch(openAnew)
      await onDisk((opened) => opened.wipe())
    },
    close() {
      void disk?.then((opened) => opened.close()).catch(() => {})
      disk = undefined
      isOpen = false
    },
  }
}

/** Of a DOMException or another error: it may come from another realm. */
export function nameOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'name') : undefined
}

interface TimeLimit<Value> {
  readonly clock: Clock
  readonly ms: number
  /** What took too long: the beginning of the error's message. */
  readonly what: string
  /** Called with a value that arrives after the limit. */
  readonly onLate?: (value: Value) => void
}

/**
 * Rejects with a `TimeoutError` when the promise has not settled after `ms` milliseconds. The time is split into two
 * timers: when a frozen page wakes up, a timer fires before the answer that arrived meanwhile is delivered.
 */
export function withTimeLimit<Value>(
  promise: Promise<Value>,
  { clock, ms, what, onLate }: TimeLimit<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let isLate = false
    let cancel = clock.after(ms / 2, () => {
      cancel = clock.after(ms / 2, () => {
        isLate = true
        reject(
          Object.assign(new Error(`${what} took longer than ${ms / 1000} s, so it counts as failed.`), {
            name: 'TimeoutError',
          }),
        )
      })
    })
    promise.then((value) => (isLate ? onLate?.(value) : resolve(value)), reject).finally(() => cancel())
  })
}
