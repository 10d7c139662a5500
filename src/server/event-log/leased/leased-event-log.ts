import { type Clock, systemClock } from '../../../base/ports/clock.ts'
import type { EventLog, LogReader, LogWriter, LogSlice, CommandHandler } from '../event-log.ts'
import { createLeasedWriter, createLiveRun, type LiveRun } from './leased-writer.ts'
import type { Mailbox } from './mailbox.ts'
import {
  type RunStore,
  type SentCommand,
  type LeasedRun,
  MOST_BYTES,
  type StoredPart,
  markOf,
  expired,
  toSlice,
  type ReadPlace,
  type StoredEntry,
} from './run-store.ts'
import { abortReason, onAbort } from '../../../base/on-abort.ts'
import { systemEnvironment } from '../../../base/ports/environment.ts'

export interface LeasedEventLogOptions {
  readonly store: RunStore
  readonly mailbox: Mailbox
  readonly clock: Clock
  readonly uuid: () => string
  /** A process that has not renewed its lease for so many milliseconds counts as dead. */
  readonly leaseMs: number
}

/** How often a lease is renewed and checked within its duration: one late renewal does not expire it. */
const BEATS_PER_LEASE = 3

/** How often a lease is renewed, in milliseconds. */
export function beatOf(leaseMs: number): number {
  return Math.ceil(leaseMs / BEATS_PER_LEASE)
}

/**
 * An event log in a store that processes share. Readers in the process of the writer follow it in memory, and only entries that the
 * store has acknowledged; a writer that fails ends them, whatever the store still does.
 */
export function createLeasedEventLog(options: LeasedEventLogOptions): EventLog & { stop(): void } {
  const { store, mailbox, clock, uuid, leaseMs } = options
  const writers = new Set<{ stop(): void }>()
  /** Runs that are written here, by their key. */
  const lives = new Map<string, { readonly id: string; readonly live: LiveRun }>()

  const liveOf = ({ key, id }: LeasedRun): LiveRun | undefined => {
    const known = lives.get(key)
    return known?.id === id ? known.live : undefined
  }
  const readerOf = (run: LeasedRun, begun = false): LogReader =>
    createLeasedReader({ run, store, liveOf: () => liveOf(run), begun })

  const writerOf = (run: LeasedRun, id: string, counter: number): LogWriter => {
    const live = createLiveRun(counter, markOf(counter, id))
    lives.get(run.key)?.live.lost()
    lives.set(run.key, { id: run.id, live })
    let leave = (): void => {}
    const inner = createLeasedWriter({
      run,
      id,
      counter,
      store,
      clock,
      leaseMs,
      beatMs: beatOf(leaseMs),
      live,
      ended() {
        leave()
        writers.delete(writer)
        if (lives.get(run.key)?.live === live) lives.delete(run.key)
      },
    })
    const writer = {
      ...inner,
      onCommand(handle: CommandHandler): void {
        leave = mailbox.handle(run.key, handle)
      },
    }
    writers.add(writer)
    return writer
  }

  return {
    async begin(key, { restart = false } = {}) {
      const ids = { run: uuid(), writer: uuid() }
      const begun = await store.begin(key, { ...ids, mailbox: mailbox.name, restart })
      if (begun.state === 'expired') return begun
      const run = { key, id: begun.id }
      // After a lost reply the command is repeated: then the run already exists and belongs to this writer.
      if (begun.state === 'created' || begun.id === ids.run)
        return { state: 'created', writer: writerOf(run, ids.writer, 0), reader: readerOf(run, true) }
      return { state: 'exists', reader: readerOf(run) }
    },
    async find(key) {
      const found = await store.find(key)
      return found.state === 'exists' ? { state: 'exists', reader: readerOf({ key, id: found.id }) } : found
    },
    async expire(key) {
      await store.expire(key)
      // Those who follow it here ask the store now.
      lives.get(key)?.live.lost()
    },
    async adopt(key) {
      const writer = uuid()
      const adopted = await store.adopt(key, writer)
      return adopted && { writer: writerOf({ key, id: adopted.id }, writer, adopted.end), end: adopted.end }
    },
    async command(key, command) {
      // A writer of this process that has lost its run cannot log the command, and reports that.
      const own = mailbox.handlerOf(key)
      if (own !== undefined) return { state: 'replied', reply: await own(command) }
      const attempts: SentCommand[] = []
      const reply = await mailbox.send(key, command, async (text) => {
        const sent = await store.sendCommand(key, text)
        attempts.push(sent)
        return sent.state === 'sent'
      })
      if (reply !== undefined && reply.result !== 'unavailable') return { state: 'replied', reply }
      const last = attempts.at(-1)
      if (last === undefined || last.state === 'sent') return { state: 'unavailable' }
      return 'id' in last ? { state: last.state, reader: readerOf({ key, id: last.id }) } : { state: last.state }
    },
    stop() {
      mailbox.close()
      for (const writer of [...writers]) writer.stop()
    },
  }
}

interface LeasedReaderOptions {
  readonly run: LeasedRun
  readonly store: RunStore
  /** The run as it is written in this process; undefined when it is not. */
  readonly liveOf: () => LiveRun | undefined
  /** The run was begun for this reader: nothing comes before what its writer will say. */
  readonly begun: boolean
}

function createLeasedReader({ run, store, liveOf, begun }: LeasedReaderOptions): LogReader {
  /** Where the last read ended. */
  let place: ReadPlace = { after: 0, writer: '' }
  /** The same, when there was nothing more: from there the tail has what follows. */
  let caughtUpAt: number | undefined = begun ? 0 : undefined

  /** Entries that this process's writer has added since; undefined when only the store knows. */
  const readLive = async (after: number, signal: AbortSignal): Promise<LogSlice | undefined> => {
    const live = liveOf()
    if (live === undefined || after !== place.after) return undefined
    const slice = await live.next(place, signal)
    if (slice === undefined) return undefined
    place = { after: slice.end, writer: live.mark }
    caughtUpAt = slice.end
    return slice
  }

  const readOrWait = async (
    after: number,
    signal: AbortSignal,
  ): Promise<StoredPart | LogSlice | 'gone' | 'orphaned'> => {
    for (;;) {
      // The store may still have the entries before, which nothing will complete.
      if (liveOf()?.hasFailed === true) return 'gone'
      if (after !== caughtUpAt) {
        const part = await unlessAborted(store.read(run, after), signal)
        if (typeof part === 'string' || part.items.length > 0) return part
      }
      const live = liveOf()
      const slice = await readLive(after, signal)
      if (slice !== undefined) return slice
      if (live?.hasFailed === true) return 'gone'
      // Its writer has ended or was lost while this one waited: the store knows how.
      if (live !== liveOf()) caughtUpAt = undefined
      else break
    }
    const result = await store.wait(run, after, signal)
    return typeof result === 'string' ? result : firstPart(result)
  }

  return {
    async read(after, signal) {
      signal.throwIfAborted()
      const part = await readOrWait(after, signal)
      if (part === 'gone') throw expired()
      if (part === 'orphaned') return { entries: [], end: after, closed: false, orphaned: true }
      if ('entries' in part) return part
      const taken = toSlice(after === place.after ? place : { after, writer: undefined }, part.items)
      place = taken.place
      caughtUpAt = part.more ? undefined : taken.slice.end
      return taken.slice
    },
  }
}

/** The entries for all followers may exceed the limit of one. */
function firstPart(items: readonly StoredEntry[]): StoredPart {
  let bytes = 0
  const end = items.findIndex((item) => (bytes += item.text.length) >= MOST_BYTES) + 1
  return end === 0 ? { items, more: false } : { items: items.slice(0, end), more: end < items.length }
}

function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => reject(abortReason(signal, 'The read was aborted.')))
    promise.then(resolve, reject).finally(release)
  })
}

/** Options of an event log that several processes share. */
export interface SharedLogOptions {
  /** Milliseconds a finished run stays readable (CAP section 6, rule 3). @default 600_000 */
  readonly ttlMs?: number | undefined
  /** Milliseconds a run is remembered after that, so that it is refused and not run again. @default 86_400_000 */
  readonly rememberMs?: number | undefined
  /**
   * Most that finished runs take together, in bytes of their entries; the oldest go first.
   *
   * @default no limit besides the store's own
   */
  readonly maxBytes?: number | undefined
  /**
   * A process that has not renewed its lease for so many milliseconds counts as dead, and its runs as orphaned.
   *
   * @default 11_000
   */
  readonly leaseMs?: number | undefined
  /** Milliseconds to wait for the store before a call fails; longer than `cancelTimeoutMs` of the handler. @default 5000 */
  readonly commandTimeoutMs?: number | undefined
  /** Timers and time: replaced in tests. @default the platform's */
  readonly clock?: Clock | undefined
  /** Names runs and writers. @default random UUIDs */
  readonly uuid?: (() => string) | undefined
}

export function sharedLogDefaults({
  ttlMs = 600_000,
  rememberMs = 86_400_000,
  maxBytes,
  leaseMs = 11_000,
  commandTimeoutMs = 5000,
  clock = systemClock,
  uuid = systemEnvironment.uuid,
}: SharedLogOptions) {
  return { ttlMs, rememberMs, maxBytes, leaseMs, commandTimeoutMs, clock, uuid }
}

/** Milliseconds that a command to another process is stored. The waiting caller has timed out long before. */
export const KEEP_LETTERS_MS = 60_000
