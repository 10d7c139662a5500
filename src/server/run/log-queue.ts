import type { LogEntry, LogWriter } from '../event-log/event-log.ts'

/** Entries on their way into a log. Those that come while the log writes go into it together, in their order. */
export interface LogQueue {
  /** Never waits. What becomes of the entry is known by `settled`. */
  push(entry: LogEntry): void
  /** Resolves when all entries so far are in the log. Rejects when one could not be written, and from then on. */
  settled(): Promise<void>
  /** UTF-16 units that are not known to be in the log. */
  readonly pending: number
}

type Written = Pick<LogWriter, 'append' | 'appendAll'>

/** @param lost called when an entry could not be written: none after it will be */
export function createLogQueue(log: Written, lost: (error: unknown) => void): LogQueue {
  let waiting: LogEntry[] = []
  let writing: Promise<void> | undefined
  /** The first thing that could not be written. */
  let failed: { readonly error: unknown } | undefined
  let pending = 0

  const fail = (error: unknown): void => {
    failed = { error }
    waiting = []
    writing = undefined
    lost(error)
  }

  const write = async (written: Promise<void>, length: number): Promise<void> => {
    try {
      await written
    } catch (error) {
      fail(error)
      throw error
    }
    pending -= length
    const entries = waiting
    waiting = []
    writing = entries.length > 0 ? begin(appendEntries(log, entries), lengthOf(entries)) : undefined
  }

  const begin = (written: Promise<void>, length: number): Promise<void> => {
    const writes = write(written, length)
    // Callers that need the outcome await `settled`.
    writes.catch(() => {})
    return writes
  }

  return {
    push(entry) {
      if (failed !== undefined) return
      const length = entry.kind === 'stream' ? 0 : entry.text.length
      pending += length
      if (writing === undefined) writing = begin(append(log, entry), length)
      else waiting.push(entry)
    },
    async settled() {
      if (failed !== undefined) throw failed.error
      // What waits is in the write that follows this one.
      const follows = waiting.length > 0
      await writing
      if (follows) await writing
    },
    get pending() {
      return pending
    },
  }
}

/** A log of the app's own may throw before it gives a promise. */
async function append(log: Written, entry: LogEntry): Promise<void> {
  await log.append(entry)
}

/** Adds entries in their order, in one step where the log can. */
export async function appendEntries(log: Written, entries: readonly LogEntry[]): Promise<void> {
  if (entries.length > 1 && log.appendAll !== undefined) return log.appendAll(entries)
  for (const entry of entries) await log.append(entry)
}

function lengthOf(entries: readonly LogEntry[]): number {
  return entries.reduce((length, entry) => length + (entry.kind === 'stream' ? 0 : entry.text.length), 0)
}
