import type { EventLog } from '../event-log.ts'
import { beatOf, createLeasedEventLog } from '../leased/leased-event-log.ts'
import { createMailbox } from '../leased/mailbox.ts'
import { KEEP_LETTERS_MS, sharedLogDefaults, type SharedLogOptions } from '../leased/shared-log-options.ts'
import type { PostgresPool } from './postgres-pool.ts'
import { createPostgresQueries } from './postgres-queries.ts'
import { createPostgresRunStore, mailboxOf } from './postgres-run-store.ts'
import { createPostgresTail } from './postgres-tail.ts'

/** Those of every log that processes share. */
export type PostgresEventLogOptions = SharedLogOptions

export interface PostgresEventLog extends EventLog {
  /** Returns the connection that listens, so that the pool can end. Runs of this process stop being kept alive. */
  close(): void
}

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
 * import { EVENT_LOG_TABLE, postgresEventLog, type PostgresPool } from 'capstan/server/logs'
 *
 * // new Pool({ connectionString }) of pg
 * declare const pool: PostgresPool & { query(text: string): Promise<{ rows: SqlRow[] }> }
 * await pool.query(EVENT_LOG_TABLE)
 * export const POST = createAgentHandler({ agent: async () => ({ output: { text: 'Rivers meander.' } }), log: postgresEventLog(pool) })
 * ```
 */
export function postgresEventLog(pool: PostgresPool, options: PostgresEventLogOptions = {}): PostgresEventLog {
  const { ttlMs, rememberMs, maxBytes, leaseMs, commandTimeoutMs, clock, uuid } = sharedLogDefaults(options)
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
