import type { Clock } from '../../base/ports/clock.ts'
import { nameOf } from './disk-failure.ts'
import type { ThreadDisk } from '../records/thread-disk.ts'

/** Time limit for opening, in milliseconds. After that, another tab blocks the database, or it never opens. */
const OPENING_MS = 5000
/**
 * Time limit for a transaction, in milliseconds. A browser may never settle one, and it must not block the other
 * threads for ever.
 */
const ANSWER_MS = 10_000

/** A disk that is opened when it is first used, and again when its connection was closed from outside. Every call has a time limit. */
export interface ReopenableDisk {
  readonly isOpen: boolean
  /** Asks the disk, and once more on a new connection when this one was closed from outside. */
  ask<Value>(question: (disk: ThreadDisk) => Promise<Value>): Promise<Value>
  /** Reopens a disk in the background, so that callers that work from memory do not wait for it. */
  reopen(): Promise<void>
  /** Deletes the data; a database that did not open before is opened for that, as it may hold what an earlier page wrote. */
  wipe(): Promise<void>
  close(): void
}

export function createReopenableDisk(open: () => Promise<ThreadDisk>, clock: Clock): ReopenableDisk {
  let disk: Promise<ThreadDisk> | undefined
  let isOpen = false
  let reopening: Promise<void> | undefined

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

  return {
    get isOpen() {
      return isOpen
    },
    ask: (question) =>
      onDisk((opened) => withTimeLimit(question(opened), { clock, ms: ANSWER_MS, what: 'An answer of the database' })),
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
