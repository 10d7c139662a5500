import type { AgentError } from '../../../base/agent-error.ts'
import { type Clock, delay } from '../../../base/ports/clock.ts'
import type { LogEntry, LogWriter } from '../event-log.ts'
import type { LiveRun } from './live-run.ts'
import type { RunStore, LeasedRun } from './run-store.ts'
import { expired, markOf } from './stored-entry.ts'

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
