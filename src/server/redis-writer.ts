import type { Clock } from '../base/clock.ts'
import type { LogEntry, LogWriter } from './event-log.ts'
import type { RedisCommands } from './redis-commands.ts'
import { expired, letterOf } from './redis-stream.ts'
import type { RunNames } from './redis-tail.ts'

export interface RedisWriterOptions {
  readonly run: RunNames
  /** Of this writer: whoever takes its place has another. */
  readonly id: string
  /** Counter of the last entry there is. */
  readonly counter: number
  readonly commands: RedisCommands
  readonly clock: Clock
  readonly times: { readonly leaseMs: number; readonly beatMs: number; readonly ttlMs: number; readonly rememberMs: number }
  readonly maxBytes: number | undefined
  readonly index: { readonly order: string; readonly total: string }
  /** Prefix of streams. */
  readonly logs: string
  throwAway(): Promise<void>
  /** Called once, when it writes no more. */
  ended(): void
}

/** Writes one run under its counters, and says again and again that it is alive. */
export function createRedisWriter(options: RedisWriterOptions): LogWriter & { stop(): void } {
  const { run, id, commands, clock, times } = options
  const utf8 = new TextEncoder()
  let counter = options.counter
  let bytes = 0
  let state: 'open' | 'lost' | 'closed' = 'open'
  let beating = true
  let cancelBeat = (): void => {}

  const stop = (): void => {
    beating = false
    cancelBeat()
    options.ended()
  }

  const lose = (): void => {
    if (state === 'open') state = 'lost'
    stop()
  }

  const beat = async (): Promise<void> => {
    try {
      const reply = await commands.run('beat', [run.hash, run.stream], [run.id, id, times.leaseMs, times.ttlMs, times.rememberMs])
      if (reply === 'lost') lose()
    } catch {
      // Redis may come back before the lease is out; an entry that cannot be kept is what ends a run.
    }
    if (beating) beatLater()
  }

  const beatLater = (): void => {
    cancelBeat = clock.after(times.beatMs, () => void beat())
  }

  const add = async (entry: LogEntry): Promise<void> => {
    const text = entry.kind === 'stream' ? '' : entry.text
    counter += 1
    bytes += utf8.encode(text).byteLength
    const reply = await commands.run('append', [run.hash, run.stream], [run.id, id, counter, letterOf(entry), text])
    if (reply === 'added') return
    lose()
    throw expired()
  }

  beatLater()
  return {
    async append(entry) {
      if (state !== 'open') throw expired()
      await add(entry)
    },
    async close() {
      if (state !== 'open') return
      state = 'closed'
      const { ttlMs, rememberMs } = times
      const keys = [run.hash, run.stream, options.index.order, options.index.total]
      try {
        await commands.run('close', keys, [run.id, id, counter + 1, ttlMs, rememberMs, bytes, options.maxBytes ?? '', options.logs])
      } catch (error) {
        // Without an end the log would keep its readers waiting: better none. This takes no memory.
        await options.throwAway()
        throw error
      } finally {
        stop()
      }
    },
    stop,
  }
}
