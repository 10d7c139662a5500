import type { EventLog } from '../event-log.ts'
import {
  beatOf,
  createLeasedEventLog,
  KEEP_LETTERS_MS,
  sharedLogDefaults,
  type SharedLogOptions,
} from '../leased/leased-event-log.ts'
import { createMailbox } from '../leased/mailbox.ts'
import {
  type PostgresPool,
  createPostgresQueries,
  type PostgresClient,
  unreachable,
  type PostgresQueries,
} from './postgres-queries.ts'
import { createPostgresRunStore, mailboxOf, CHANNEL, logOf, type PostgresRunStore } from './postgres-run-store.ts'
import { abortReason, onAbort } from '../../../base/on-abort.ts'
import { type Clock, delay, within } from '../../../base/ports/clock.ts'
import type { LeasedRun, TailResult } from '../leased/run-store.ts'

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

/** Waits for many runs, and for letters, on one connection. */
interface PostgresTail {
  /** As `wait` of a run store. */
  wait(run: LeasedRun, after: number, signal: AbortSignal): Promise<TailResult>
  /** Letters are wanted from now on. */
  watch(): void
  close(): void
}

interface PostgresTailOptions {
  readonly queries: PostgresQueries
  readonly readPart: PostgresRunStore['readPart']
  readonly clock: Clock
  /** How often everything is read although nothing was notified, while notifications arrive. */
  readonly beatMs: number
  readonly commandTimeoutMs: number
  readonly mailbox: {
    /** Id of its rows. */
    readonly id: string
    isWanted(): boolean
    /** Takes what is in it. */
    take(): Promise<void>
  }
}

interface Follower {
  readonly after: number
  settle(result: TailResult): void
  fail(error: unknown): void
}

/** What is read one time after the other. */
interface Reading {
  /** `again`: something happened while it was read. */
  state: 'idle' | 'reading' | 'again'
}

/** Those who follow one run. */
interface Watch extends Reading {
  readonly run: LeasedRun
  readonly followers: Set<Follower>
}

/** How often everything is read while no notifications arrive: without a connection, or behind a pooler that does not pass them on. */
const DEAF_MS = 500

/** Begins the message by which a process finds out whether it is notified. */
const HELLO = 'hello:'

function createPostgresTail(options: PostgresTailOptions): PostgresTail {
  const { queries, readPart, clock, beatMs, commandTimeoutMs, mailbox } = options
  /** By the id of the log. */
  const watches = new Map<string, Watch>()
  const letters: Reading = { state: 'idle' }
  let state: 'idle' | 'running' | 'closed' = 'idle'
  let interrupt = new AbortController()

  const read = async (watch: Watch): Promise<void> => {
    if (watch.state !== 'idle') {
      watch.state = 'again'
      return
    }
    while (watch.followers.size > 0) {
      watch.state = 'reading'
      const reading = [...watch.followers]
      const from = Math.min(...reading.map(({ after }) => after))
      try {
        const part = await readPart(watch.run, from)
        for (const follower of reading) deliver(follower, part)
      } catch (error) {
        for (const follower of reading) follower.fail(error)
      }
      // A notification during the read may be of something that it did not see.
      if (!isAgain(watch)) break
    }
    watch.state = 'idle'
  }

  const takeLetters = async (): Promise<void> => {
    if (letters.state !== 'idle') {
      letters.state = 'again'
      return
    }
    do {
      letters.state = 'reading'
      // Letters that could not be taken are there next time.
      await mailbox.take().catch(() => {})
    } while (isAgain(letters))
    letters.state = 'idle'
  }

  const readAll = (): void => {
    for (const watch of watches.values()) void read(watch)
    if (mailbox.isWanted()) void takeLetters()
  }

  const isWanted = (): boolean => state !== 'closed' && (watches.size > 0 || mailbox.isWanted())

  /** Listens until the connection fails, or nobody waits any more. */
  const listen = async (client: PostgresClient): Promise<void> => {
    const hello = HELLO + mailbox.id
    let isHeard = false
    const ended = new AbortController()
    client.on('end', () => ended.abort())
    client.on('error', () => ended.abort())
    client.on('notification', ({ payload = '' }) => {
      if (payload === hello) isHeard = true
      else if (payload === mailbox.id) void takeLetters()
      else {
        const watch = watches.get(payload)
        if (watch !== undefined) void read(watch)
      }
    })
    await within(client.query(`LISTEN ${CHANNEL}`), clock, commandTimeoutMs)
    while (isWanted() && !ended.signal.aborted) {
      isHeard = false
      await within(client.query('SELECT pg_notify($1, $2)', [CHANNEL, hello]), clock, commandTimeoutMs)
      readAll()
      interrupt = new AbortController()
      await delay(clock, isHeard ? beatMs : DEAF_MS, AbortSignal.any([ended.signal, interrupt.signal]))
    }
  }

  const loop = async (): Promise<void> => {
    while (isWanted()) {
      try {
        const client = await queries.connect()
        try {
          await listen(client)
        } finally {
          client.release(true)
        }
      } catch {
        // Reads report what is wrong with the database.
        readAll()
        await delay(clock, DEAF_MS)
      }
    }
    if (state === 'running') state = 'idle'
  }

  const start = (): void => {
    if (state !== 'idle') return
    state = 'running'
    void loop()
  }

  const watchOf = (run: LeasedRun): Watch => {
    const known = watches.get(logOf(run.id))
    if (known !== undefined) return known
    const watch: Watch = { run, followers: new Set(), state: 'idle' }
    watches.set(logOf(run.id), watch)
    return watch
  }

  return {
    wait: (run, after, signal) =>
      new Promise((resolve, reject) => {
        const watch = watchOf(run)
        const leave = (): void => {
          release()
          watch.followers.delete(follower)
          if (watch.followers.size === 0 && watches.get(logOf(run.id)) === watch) watches.delete(logOf(run.id))
        }
        const follower: Follower = {
          after,
          settle(result) {
            leave()
            resolve(result)
          },
          fail(error) {
            leave()
            reject(error instanceof Error ? error : new Error('The read failed.'))
          },
        }
        let release = (): void => {}
        watch.followers.add(follower)
        if (state === 'closed') {
          follower.fail(unreachable(new Error('The event log was closed.')))
          return
        }
        release = onAbort(signal, () => follower.fail(abortReason(signal, 'The read was aborted.')))
        start()
        // An entry may have been added since the last read.
        void read(watch)
      }),
    watch: start,
    close() {
      state = 'closed'
      interrupt.abort()
      for (const watch of [...watches.values()])
        for (const follower of [...watch.followers]) follower.fail(unreachable(new Error('The event log was closed.')))
    },
  }
}

/** Whether something is to be read once more. Its state changes while it is read. */
function isAgain(reading: Reading): boolean {
  return reading.state === 'again'
}

function deliver(follower: Follower, part: Awaited<ReturnType<PostgresRunStore['readPart']>>): void {
  if (part === undefined || part.last < follower.after) {
    follower.settle('gone')
    return
  }
  const items = part.items.filter(({ counter }) => counter > follower.after)
  if (items.length > 0) follower.settle(items)
  else if (part.isOrphaned && part.last === follower.after) follower.settle('orphaned')
}
