import type { Clock } from '../../../base/ports/clock.ts'
import { systemClock } from '../../../base/ports/clock.ts'
import { systemEnvironment } from '../../../base/ports/environment.ts'
import type { EventLog } from '../event-log.ts'
import { beatOf, createLeasedEventLog } from '../leased/leased-event-log.ts'
import { createMailbox } from '../leased/mailbox.ts'
import type { PostgresPool } from './postgres-pool.ts'
import { createPostgresQueries } from './postgres-queries.ts'
import { createPostgresRunStore, mailboxOf } from './postgres-run-store.ts'
import { createPostgresTail } from './postgres-tail.ts'

export interface PostgresEventLogOptions {
  /** Milliseconds a finished run stays readable (CAP section 6, rule 3). @default 600_000 */
  readonly ttlMs?: number | undefined
  /** Milliseconds a run is remembered after that, so that it is refused and not run again. @default 86_400_000 */
  readonly rememberMs?: number | undefined
  /** Most that finished runs take together, in bytes of their entries; the oldest go first. @default no limit */
  readonly maxBytes?: number | undefined
  /**
   * A process that has not renewed its lease for so many milliseconds counts as dead, and its runs as orphaned.
   *
   * @default 11_000
   */
  readonly leaseMs?: number | undefined
  /** Milliseconds to wait for Postgres before a call fails; longer than `cancelTimeoutMs` of the handler. @default 5000 */
  readonly commandTimeoutMs?: number | undefined
  /** Timers and time: replaced in tests. @default the platform's */
  readonly clock?: Clock | undefined
  /** Names runs and writers. @default random UUIDs */
  readonly uuid?: (() => string) | undefined
}

export interface PostgresEventLog extends EventLog {
  /** Returns the connection that listens, so that the pool can end. Runs of this process stop being kept alive. */
  close(): void
}

/** Whoever waits for a reply has given up long before. */
const KEEP_LETTERS_MS = 60_000
/** How often a process that begins runs removes what is overdue. */
const SWEEP_MS = 10_000

/**
 * An event log in Postgres 12 or later, for any number of processes: a run that one of them carries out can be followed from each. It
 * needs the table of `EVENT_LOG_TABLE`. Each entry is committed before it is sent. One connection of the pool listens while the process
 * writes runs or follows those of others; notifications that are lost, also behind a pooler that does not pass them on, are made up for by
 * a poll.
 *
 * @param pool of `pg`, with two connections at least: your app makes it, handles its errors and ends it
 *
 * @example
 * ```ts
 * import { createAgentHandler, type SqlRow } from 'capstan/server'
 * import { EVENT_LOG_TABLE, postgresEventLog, type PostgresPool } from 'capstan/server/postgres'
 *
 * // new Pool({ connectionString }) of pg
 * declare const pool: PostgresPool & { query(text: string): Promise<{ rows: SqlRow[] }> }
 * await pool.query(EVENT_LOG_TABLE)
 * export const POST = createAgentHandler({ agent: async () => ({ output: { text: 'Rivers meander.' } }), log: postgresEventLog(pool) })
 * ```
 */
export function postgresEventLog(pool: PostgresPool, options: PostgresEventLogOptions = {}): PostgresEventLog {
  const { ttlMs = 600_000, rememberMs = 86_400_000, maxBytes, leaseMs = 11_000, commandTimeoutMs = 5000 } = options
  const { clock = systemClock, uuid = systemEnvironment.uuid } = options
  const queries = createPostgresQueries(pool, clock, commandTimeoutMs)
  const store = createPostgresRunStore({
    queries,
    leaseMs,
    ttlMs,
    rememberMs,
    maxBytes,
    keepLettersMs: KEEP_LETTERS_MS,
  })
  const mailbox = createMailbox({ clock, uuid, commandTimeoutMs, post: store.post, watch: () => tail.watch() })
  const tail = createPostgresTail({
    queries,
    readPart: store.readPart,
    clock,
    beatMs: beatOf(leaseMs),
    commandTimeoutMs,
    mailbox: {
      id: mailboxOf(mailbox.name),
      isWanted: () => mailbox.isWanted(),
      async take() {
        for (const letter of await store.takeLetters(mailbox.name)) mailbox.receive(letter)
      },
    },
  })
  const log = createLeasedEventLog({ store: { ...store, wait: tail.wait }, mailbox, clock, uuid, leaseMs })
  let sweptAt = -Infinity

  return {
    ...log,
    async begin(key, begin) {
      if (clock.now() - sweptAt >= SWEEP_MS) {
        sweptAt = clock.now()
        // What is overdue counts as expired before it is removed.
        void store.sweep().catch(() => {})
      }
      return log.begin(key, begin)
    },
    close() {
      tail.close()
      log.stop()
    },
  }
}
