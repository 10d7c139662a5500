import type { AgentError } from '../../../base/agent-error.ts'
import { type Clock, delay } from '../../../base/ports/clock.ts'
import type { LogEntry, LogWriter, LogSlice } from '../event-log.ts'
import { type RunStore, type LeasedRun, expired, markOf, type ReadPlace } from './run-store.ts'
import { abortReason, onAbort } from '../../../base/on-abort.ts'

export interface LeasedWriterOptions {
  readonly run: LeasedRun
  /** Identifies this writer: its successor has another one. */
  readonly id: string
  /** Counter of the last entry there is. */
  readonly counter: number
  readonly store: RunStore
  readonly clock: Clock
  readonly leaseMs: number
  /** How often the lease is renewed. */
  readonly beatMs: number
  /** Those who follow the run in this process. */
  readonly live: LiveRun
  /** Called when it does nothing more. */
  ended(): void
}

/**
 * What a writer may still do.
 *
 * | state | append | close | discard |
 * |---|---|---|---|
 * | open | adds; `failed` or `lost` when it cannot | `closed`; discards when it cannot | discards |
 * | failed | rejects with the failure | discards, rejects with the failure | discards |
 * | lost, closed | rejects with `log_expired` | nothing | nothing |
 *
 * To discard makes it `lost`, or leaves it `failed` when the store cannot be reached; then it is tried again for the time of a lease.
 * `failed` renews no lease, so that others find the log orphaned even when it could not be discarded; readers of this process end
 * at once.
 */
type WriterState =
  | { readonly name: 'open' | 'lost' | 'closed' }
  | { readonly name: 'failed'; readonly failure: AgentError }

/** Often enough that a client which comes back learns of it before the orphan is adopted. */
const DISCARD_AGAIN_MS = 200

/** Writes one run under its counters, and says again and again that it is alive. */
export function createLeasedWriter(options: LeasedWriterOptions): LogWriter & { stop(): void } {
  const { run, id, store, clock } = options
  const mark = markOf(options.counter, id)
  const { live } = options
  /** Counter of the last entry that the store acknowledged. */
  let counter = options.counter
  let bytes = 0
  let state: WriterState = { name: 'open' }
  let beating = true
  let cancelBeat = (): void => {}
  let discarding = false
  let stopped = false
  let last: Promise<unknown> = Promise.resolve()

  /** Runs the tasks in order, so that a retried entry never follows a later one. */
  const inTurn = <Value>(act: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(act)
    last = turn.catch(() => {})
    return turn
  }

  const stopBeating = (): void => {
    beating = false
    cancelBeat()
  }

  const become = (next: WriterState): void => {
    state = next
    if (next.name === 'open') return
    stopBeating()
    if (next.name === 'closed') live.closed()
    else if (next.name === 'failed') live.failed()
    else live.lost()
    if (next.name !== 'failed') options.ended()
  }

  const beat = async (): Promise<void> => {
    try {
      const isAlive = await store.beat(run, id, counter)
      if (!isAlive && state.name === 'open') become({ name: 'lost' })
    } catch {
      // The store may be available again before the lease expires. Only an entry that cannot be stored ends a run.
    }
    if (beating) beatLater()
  }

  const beatLater = (): void => {
    cancelBeat = clock.after(options.beatMs, () => void beat())
  }

  const append = async (entries: readonly LogEntry[]): Promise<void> => {
    if (state.name === 'failed') throw state.failure
    if (state.name !== 'open') throw expired()
    const isAdded = await store.append(run, id, counter, mark, entries).catch((failure: AgentError) => {
      become({ name: 'failed', failure })
      throw failure
    })
    if (!isAdded) {
      become({ name: 'lost' })
      throw expired()
    }
    counter += entries.length
    if (store.countsBytes) bytes += bytesOf(entries)
    live.added(entries)
  }

  const discardNow = async (): Promise<void> => {
    // It takes no memory, and changes nothing that another writer owns.
    await store.expire(run.key, { run: run.id, writer: id })
    become({ name: 'lost' })
  }

  const discardLater = async (): Promise<void> => {
    const until = clock.now() + options.leaseMs
    while (state.name === 'failed' && !stopped && clock.now() < until) {
      await delay(clock, DISCARD_AGAIN_MS)
      if (!stopped) await discardNow().catch(() => {})
    }
    options.ended()
  }

  const discard = async (): Promise<void> => {
    if (state.name === 'lost' || state.name === 'closed') return
    if (state.name === 'open') become({ name: 'failed', failure: expired() })
    await discardNow().catch((error: AgentError) => {
      if (!discarding) void discardLater()
      discarding = true
      throw error
    })
  }

  /** @throws what keeps the store from closing it */
  const seal = async (): Promise<void> => {
    const reply = await store.close(run, id, counter, mark, bytes).catch((failure: AgentError) => {
      become({ name: 'failed', failure })
    })
    if (state.name !== 'open') return
    become({ name: reply === 'closed' ? 'closed' : 'lost' })
    if (reply === 'shortened') throw expired()
  }

  const close = async (): Promise<void> => {
    if (state.name === 'open') await seal()
    if (state.name !== 'failed') return
    const { failure } = state
    // What cannot be discarded becomes orphaned; the first failure says why.
    await discard().catch(() => {})
    throw failure
  }

  const stop = (): void => {
    stopped = true
    stopBeating()
    live.lost()
    options.ended()
  }

  beatLater()
  return {
    append: (entry) => inTurn(() => append([entry])),
    appendAll: (entries) => inTurn(() => append(entries)),
    close: () => inTurn(close),
    discard: () => inTurn(discard),
    stop,
  }
}

const utf8 = new TextEncoder()

function bytesOf(entries: readonly LogEntry[]): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === 'stream' ? 0 : utf8.encode(entry.text).byteLength), 0)
}

/**
 * What a writer of this process has written and the store has acknowledged, for those who follow it here: they need not read from
 * the store what this process has just sent there.
 */
export interface LiveRun {
  /** What its entries say of their writer. */
  readonly mark: string
  /** The store has these. */
  added(entries: readonly LogEntry[]): void
  /** The store has closed the log. */
  closed(): void
  /** Whatever comes is not known here any more. */
  lost(): void
  /** No entry can follow, and the store may not be able to tell. */
  failed(): void
  readonly hasFailed: boolean
  /** Resolves with what follows a place, or undefined when only the store can tell. Rejects with the reason of the signal. */
  next(place: ReadPlace, signal: AbortSignal): Promise<LogSlice | undefined>
}

interface Follower {
  readonly after: number
  settle(slice: LogSlice | undefined): void
}

/** UTF-16 units kept for a follower that was busy for a moment. One that is further behind reads the store. */
const MOST_UNITS = 8_192

/**
 * @param began counter after which the writer began
 * @param mark what its entries say of it, as `markOf` has it
 */
export function createLiveRun(began: number, mark: string): LiveRun {
  const followers = new Set<Follower>()
  let recent: LogEntry[] = []
  let units = 0
  let end = began
  let live = true
  let hasFailed = false
  /** Followers at one place are given one slice, so that its bytes are made once. */
  let last: { readonly after: number; readonly slice: LogSlice } | undefined

  const sliceAfter = (after: number): LogSlice => {
    if (last?.after !== after || last.slice.end !== end)
      last = { after, slice: { entries: recent.slice(recent.length - (end - after)), end, closed: false } }
    return last.slice
  }

  const tell = (sliceOf: (after: number) => LogSlice | undefined): void => {
    for (const follower of [...followers]) follower.settle(sliceOf(follower.after))
  }

  const stop = (slice: LogSlice | undefined): void => {
    live = false
    recent = []
    last = undefined
    tell(() => slice)
  }

  return {
    mark,
    added(entries) {
      if (!live) return
      recent.push(...entries)
      end += entries.length
      units += entries.reduce((sum, entry) => sum + unitsOf(entry), 0)
      // All who wait have everything before, so they get these even when they are too long to be kept.
      tell(sliceAfter)
      let dropped = 0
      for (const entry of recent) {
        if (units <= MOST_UNITS) break
        units -= unitsOf(entry)
        dropped += 1
      }
      if (dropped === 0) return
      recent.splice(0, dropped)
      last = undefined
    },
    closed: () => stop({ entries: [], end, closed: true }),
    lost: () => stop(undefined),
    failed() {
      hasFailed = true
      stop(undefined)
    },
    get hasFailed() {
      return hasFailed
    },
    async next({ after, writer }, signal) {
      // Entries of another writer may have been lost and replaced, which only the store can tell.
      if (!live || (writer !== mark && after !== began) || after > end || after < end - recent.length) return undefined
      if (after < end) return sliceAfter(after)
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          followers.delete(follower)
          release()
        }
        const follower: Follower = {
          after,
          settle(slice) {
            leave()
            resolve(slice)
          },
        }
        followers.add(follower)
        const release = onAbort(signal, () => {
          leave()
          reject(abortReason(signal, 'The read was aborted.'))
        })
      })
    },
  }
}

function unitsOf(entry: LogEntry): number {
  return entry.kind === 'stream' ? 0 : entry.text.length
}
