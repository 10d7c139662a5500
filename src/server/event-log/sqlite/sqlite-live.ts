import { onAbort } from '../../../base/on-abort.ts'
import type { LogEntry, LogSlice } from '../event-log.ts'
import type { CommandHandler } from '../run-command.ts'

/** The runs that are written in this process: those who follow them need not ask the database. */
export interface SqliteLive {
  /** A run is written here from now on, after this counter. */
  begin(id: number, end: number): void
  /** Entries were stored. */
  added(id: number, entries: readonly LogEntry[]): void
  /** Nothing more comes of a run, or it is written elsewhere: who waits looks at what became of it. */
  over(id: number): void
  /** The writer of a run has failed, and only this process knows: whoever waits is told. `over` takes it back. */
  abandon(id: number): void
  isAbandoned(id: number): boolean
  abandonedIds(): readonly number[]
  /** What was added after a counter. `wait`: nothing yet. Undefined: the database has to be asked. */
  after(id: number, after: number): LogSlice | 'wait' | undefined
  /** Resolves when something was added to a run, or it has ended, or the signal aborts. */
  change(id: number, signal: AbortSignal): Promise<void>
  /** Takes the commands of a run that is written here. */
  handle(id: number, handle: CommandHandler): void
  handlerOf(id: number): CommandHandler | undefined
}

interface Live {
  readonly waiting: Set<() => void>
  /** The last entries. */
  tail: LogEntry[]
  /** Counter of the entry before the first of those. */
  start: number
  length: number
  handle: CommandHandler | undefined
}

/** UTF-16 units of the last entries that are kept of a run. */
const TAIL_LENGTH = 65_536

export function createSqliteLive(): SqliteLive {
  const written = new Map<number, Live>()
  /** Those who wait for runs that are written elsewhere: only their signal, or the end of the run, wakes them. */
  const waiting = new Map<number, Set<() => void>>()
  const abandoned = new Set<number>()

  function wake(settles: ReadonlySet<() => void> | undefined): void {
    for (const settle of [...(settles ?? [])]) settle()
  }

  function leave(id: number): void {
    const live = written.get(id)
    written.delete(id)
    wake(live?.waiting)
    wake(waiting.get(id))
  }

  return {
    begin(id, end) {
      written.set(id, { waiting: new Set(), tail: [], start: end, length: 0, handle: undefined })
      wake(waiting.get(id))
    },
    added(id, entries) {
      const live = written.get(id)
      if (live === undefined) return
      live.tail.push(...entries)
      for (const entry of entries) live.length += lengthOf(entry)
      let dropped = 0
      for (; live.length > TAIL_LENGTH && dropped < live.tail.length - 1; dropped++)
        live.length -= lengthOf(live.tail[dropped])
      if (dropped > 0) {
        live.tail = live.tail.slice(dropped)
        live.start += dropped
      }
      wake(live.waiting)
    },
    over(id) {
      abandoned.delete(id)
      leave(id)
    },
    abandon(id) {
      abandoned.add(id)
      leave(id)
    },
    isAbandoned: (id) => abandoned.has(id),
    abandonedIds: () => [...abandoned],
    after(id, after) {
      const live = written.get(id)
      if (live === undefined || after < live.start) return undefined
      const end = live.start + live.tail.length
      return after < end ? { entries: live.tail.slice(after - live.start), end, closed: false } : 'wait'
    },
    change(id, signal) {
      const own = written.get(id)?.waiting ?? waiting.get(id) ?? new Set()
      if (!written.has(id)) waiting.set(id, own)
      return new Promise((resolve) => {
        const settle = (): void => {
          own.delete(settle)
          if (own.size === 0) waiting.delete(id)
          release()
          resolve()
        }
        own.add(settle)
        const release = onAbort(signal, settle)
      })
    },
    handle(id, handle) {
      const live = written.get(id)
      if (live !== undefined) live.handle = handle
    },
    handlerOf: (id) => written.get(id)?.handle,
  }
}

function lengthOf(entry: LogEntry | undefined): number {
  return entry === undefined || entry.kind === 'stream' ? 0 : entry.text.length
}
