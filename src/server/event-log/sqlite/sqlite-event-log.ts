import { AgentError } from '../../../base/agent-error.ts'
import { abortReason, onAbort } from '../../../base/on-abort.ts'
import { type Clock, systemClock } from '../../../base/ports/clock.ts'
import { systemEnvironment } from '../../../base/ports/environment.ts'
import type { EventLog, LogEntry, LogReader, LogSlice, LogWriter, CommandHandler } from '../event-log.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { type StoredRun, createSqliteRuns } from './sqlite-runs.ts'

export interface SqliteEventLogOptions {
  /** Begins the name of every table: letters, digits and underscores. @default 'capstan_' */
  readonly prefix?: string | undefined
  /** Milliseconds a finished run stays readable (CAP section 6, rule 3). @default 600_000 */
  readonly ttlMs?: number | undefined
  /** Milliseconds a run is remembered after that, so that it is refused and not run again. @default 86_400_000 */
  readonly rememberMs?: number | undefined
  /** Most that finished runs take together, in bytes of their entries; the oldest go first. @default no limit */
  readonly maxBytes?: number | undefined
  /** Time: replaced in tests. @default the platform's */
  readonly clock?: Clock | undefined
  /** Names the process and writers. @default random UUIDs */
  readonly uuid?: (() => string) | undefined
}

/**
 * An event log in an SQLite database, for one process at a time: it outlives that process, and the process that opened the database last is its
 * writer. Runs of the process before count as orphaned at once, and what that process still does is refused. Several processes at a
 * time need `redisEventLog`. It has no timers; each entry is on the disk before it is sent, as the database's own settings have it.
 *
 * @param database of `node:sqlite` or `better-sqlite3`; the app opens and closes it
 * @throws AgentError `invalid_config` for a prefix that is not a name; TRANSIENT when the tables cannot be created
 *
 * @example
 * ```ts
 * import { createAgentHandler } from 'capstan/server'
 * import { sqliteEventLog, type SqliteDatabase } from 'capstan/server/logs'
 *
 * // new DatabaseSync('runs.db') of node:sqlite, or new Database('runs.db') of better-sqlite3
 * declare const database: SqliteDatabase
 * export const POST = createAgentHandler({ agent: async () => ({ output: { text: 'Rivers meander.' } }), log: sqliteEventLog(database) })
 * ```
 */
export function sqliteEventLog(database: SqliteDatabase, options: SqliteEventLogOptions = {}): EventLog {
  const { prefix = 'capstan_', ttlMs = 600_000, rememberMs = 86_400_000, maxBytes = Infinity } = options
  const { clock = systemClock, uuid = systemEnvironment.uuid } = options
  if (!/^\w+$/.test(prefix)) throw notAName(prefix)
  const runs = createSqliteRuns({
    database,
    prefix,
    process: uuid(),
    ttlMs,
    rememberMs,
    maxBytes,
    date: () => clock.date(),
  })
  const live = createSqliteLive()
  const sweep = (): void => {
    discardAbandoned()
    for (const id of runs.sweep()) live.over(id)
  }
  /** A reader needs no sweep: what is stored stays readable while the database refuses writes. */
  const sweepIfPossible = (): void => {
    try {
      sweep()
    } catch {
      // The next write reports the cause.
    }
  }
  /** Discards what could not be discarded when its writer failed. A database that still refuses is tried again next time. */
  const discardAbandoned = (): void => {
    for (const id of live.abandonedIds()) {
      try {
        runs.expire(id)
      } catch {
        return
      }
      live.over(id)
    }
  }

  const writerOf = (id: number, counter: number, writer: string): LogWriter => {
    let end = counter
    let state: 'open' | 'ended' | AgentError = 'open'
    live.begin(id, end)

    const discard = async (): Promise<void> => {
      if (state === 'ended') return
      if (state === 'open') state = expired()
      live.abandon(id)
      runs.expire(id, writer)
      live.over(id)
      state = 'ended'
    }
    const failWith = (cause: unknown): unknown => {
      state = cause instanceof AgentError ? cause : expired()
      live.abandon(id)
      return cause
    }
    const appendAll = async (entries: readonly LogEntry[]): Promise<void> => {
      if (state === 'ended') throw expired()
      if (state !== 'open') throw state
      let isAdded: boolean
      try {
        isAdded = runs.append(id, writer, end, entries)
      } catch (cause) {
        throw failWith(cause)
      }
      if (!isAdded) {
        state = 'ended'
        live.over(id)
        throw expired()
      }
      end += entries.length
      live.added(id, entries)
    }
    const seal = (): void => {
      try {
        runs.close(id, writer)
        state = 'ended'
        live.over(id)
      } catch (cause) {
        failWith(cause)
      }
    }
    return {
      append: (entry) => appendAll([entry]),
      appendAll,
      async close() {
        if (state === 'open') seal()
        if (typeof state === 'string') return
        const failure = state
        await discard().catch(() => undefined)
        throw failure
      },
      discard,
      onCommand(handle) {
        if (state === 'open') live.handle(id, handle)
      },
    }
  }

  /** Whether the log has ended, although writing that to the database failed. */
  const isAbandoned = ({ id, state, isOrphaned }: StoredRun): boolean =>
    state === 'open' && !isOrphaned && live.isAbandoned(id)

  const readerOf = (id: number): LogReader => {
    /** Undefined: there is nothing yet. */
    const sliceAfter = (after: number): LogSlice | undefined => {
      const known = live.after(id, after)
      if (known !== undefined) return known === 'wait' ? undefined : known
      const run = runs.byId(id)
      if (run === undefined || run.state === 'expired' || isAbandoned(run)) throw expired()
      const { entries, end, isLast } = runs.read(id, after)
      if (entries.length > 0 || run.state === 'closed')
        return { entries, end, closed: run.state === 'closed' && isLast }
      return run.isOrphaned ? { entries, end, closed: false, orphaned: true } : undefined
    }
    return {
      async read(after, signal) {
        for (;;) {
          if (signal.aborted) throw abortReason(signal, 'The read was aborted.')
          const slice = sliceAfter(after)
          if (slice !== undefined) return slice
          await live.change(id, signal)
        }
      },
    }
  }

  const foundOf = (
    run: StoredRun,
  ): { readonly state: 'exists'; readonly reader: LogReader } | { readonly state: 'expired' } =>
    run.state === 'expired' || isAbandoned(run) ? { state: 'expired' } : { state: 'exists', reader: readerOf(run.id) }

  return {
    async begin(key, { restart = false } = {}) {
      sweep()
      const writer = uuid()
      const { run, isNew } = runs.begin(key, writer, restart)
      if (isNew) return { state: 'created', writer: writerOf(run.id, 0, writer), reader: readerOf(run.id) }
      return foundOf(run)
    },
    async find(key) {
      sweepIfPossible()
      const run = runs.find(key)
      return run === undefined ? { state: 'unknown' } : foundOf(run)
    },
    async expire(key) {
      const run = runs.find(key)
      if (run === undefined || run.state === 'expired') return
      runs.expire(run.id)
      live.over(run.id)
    },
    async adopt(key) {
      const writer = uuid()
      const adopted = runs.adopt(key, writer)
      return adopted && { writer: writerOf(adopted.id, adopted.end, writer), end: adopted.end }
    },
    async command(key, command) {
      sweepIfPossible()
      const run = runs.find(key)
      if (run === undefined) return { state: 'unknown' }
      if (run.state === 'expired' || isAbandoned(run)) return { state: 'expired' }
      if (run.state === 'closed') return { state: 'closed', reader: readerOf(run.id) }
      if (run.isOrphaned) return { state: 'orphaned', reader: readerOf(run.id) }
      const handle = live.handlerOf(run.id)
      return handle === undefined ? { state: 'unavailable' } : { state: 'replied', reply: await handle(command) }
    },
  }
}

function expired(): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'log_expired',
    severity: 'FATAL',
    message:
      'The log of this run is gone, because it expired or the server deleted it. Ask again under a new request id.',
  })
}

function notAName(prefix: string): AgentError {
  return new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `The prefix ${JSON.stringify(prefix)} is no name of a table; use letters, digits and underscores.`,
  })
}

/** The runs that are written in this process: those who follow them need not ask the database. */
interface SqliteLive {
  /** A run is written here from now on, after this counter. */
  begin(id: number, end: number): void
  /** Entries were stored. */
  added(id: number, entries: readonly LogEntry[]): void
  /** Nothing more comes of a run, or it is written elsewhere: who waits looks at what became of it. */
  over(id: number): void
  /** The writer of a run has failed, and only this process knows: waiting readers are notified. `over` takes it back. */
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

function createSqliteLive(): SqliteLive {
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
