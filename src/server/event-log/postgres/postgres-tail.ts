import { abortReason, onAbort } from '../../../base/on-abort.ts'
import { type Clock, delay, within } from '../../../base/ports/clock.ts'
import type { LeasedRun, TailResult } from '../leased/run-store.ts'
import type { PostgresClient } from './postgres-pool.ts'
import { unreachable, type PostgresQueries } from './postgres-queries.ts'
import { CHANNEL, logOf, type PostgresRunStore } from './postgres-run-store.ts'

/** Waits for many runs, and for letters, on one connection. */
export interface PostgresTail {
  /** As `wait` of a run store. */
  wait(run: LeasedRun, after: number, signal: AbortSignal): Promise<TailResult>
  /** Letters are wanted from now on. */
  watch(): void
  close(): void
}

export interface PostgresTailOptions {
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

export function createPostgresTail(options: PostgresTailOptions): PostgresTail {
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
