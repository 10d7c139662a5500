import type { AgentError } from '../../../base/agent-error.ts'
import type { Clock } from '../../../base/ports/clock.ts'
import type { LogEntry, LogWriter } from '../event-log.ts'
import { delay } from '../../../base/ports/delay.ts'
import type { RedisCommands } from './redis-commands.ts'
import type { LiveRun } from './redis-live.ts'
import { expired, letterOf, markOf, entryText } from './redis-stream.ts'
import type { RunNames } from './redis-tail.ts'

export interface RedisWriterOptions {
  readonly run: RunNames
  /** Identifies this writer: its successor has another one. */
  readonly id: string
  /** Counter of the last entry there is. */
  readonly counter: number
  readonly commands: RedisCommands
  readonly clock: Clock
  readonly times: {
    readonly leaseMs: number
    readonly beatMs: number
    readonly ttlMs: number
    readonly rememberMs: number
  }
  readonly maxBytes: number | undefined
  readonly index: { readonly order: string; readonly total: string }
  /** Prefix of streams. */
  readonly logs: string
  /** Those who follow the run in this process. */
  readonly live: LiveRun
  throwAway(): Promise<void>
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
 * To discard makes it `lost`, or leaves it `failed` when Redis cannot be reached; then it is tried again for the time of a lease.
 * `failed` renews no lease, so that others find the log orphaned even when it could not be discarded; readers of this process end
 * at once.
 */
type WriterState =
  | { readonly name: 'open' | 'lost' | 'closed' }
  | { readonly name: 'failed'; readonly failure: AgentError }

/** Often enough that a client which comes back learns of it before the orphan is adopted. */
const DISCARD_AGAIN_MS = 200

/** Writes one run under its counters, and says again and again that it is alive. */
export function createRedisWriter(options: RedisWriterOptions): LogWriter & { stop(): void } {
  const { run, id, commands, clock, times } = options
  const mark = markOf(options.counter, id)
  const { live } = options
  /** Counter of the last entry that Redis acknowledged. */
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
      const reply = await commands.run(
        'beat',
        [run.hash, run.stream],
        [run.id, id, times.leaseMs, times.ttlMs, times.rememberMs, counter],
      )
      if (reply === 'lost' && state.name === 'open') become({ name: 'lost' })
    } catch {
      // Redis may be available again before the lease expires. Only an entry that cannot be stored ends a run.
    }
    if (beating) beatLater()
  }

  const beatLater = (): void => {
    cancelBeat = clock.after(times.beatMs, () => void beat())
  }

  const append = async (entries: readonly LogEntry[]): Promise<void> => {
    if (state.name === 'failed') throw state.failure
    if (state.name !== 'open') throw expired()
    const values: (string | number)[] = [run.id, id, counter + 1, mark]
    for (const entry of entries) values.push(letterOf(entry), entryText(entry))
    const reply = await commands.run('append', [run.hash, run.stream], values).catch((failure: AgentError) => {
      become({ name: 'failed', failure })
      throw failure
    })
    if (reply !== 'added') {
      become({ name: 'lost' })
      throw expired()
    }
    counter += entries.length
    // Only a limit asks for it.
    if (options.maxBytes !== undefined) bytes += bytesOf(entries)
    live.added(entries)
  }

  const discardNow = async (): Promise<void> => {
    // It takes no memory, and changes nothing that another writer owns.
    await options.throwAway()
    become({ name: 'lost' })
  }

  const discardLater = async (): Promise<void> => {
    const until = clock.now() + times.leaseMs
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

  /** @throws what keeps Redis from closing it */
  const seal = async (): Promise<void> => {
    const keys = [run.hash, run.stream, options.index.order, options.index.total]
    const values = [
      run.id,
      id,
      counter + 1,
      times.ttlMs,
      times.rememberMs,
      bytes,
      options.maxBytes ?? '',
      options.logs,
      mark,
    ]
    const reply = await commands.run('close', keys, values).catch((failure: AgentError) => {
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
