import type { LogReader } from './event-log.ts'
import type { RedisCommands } from './redis-commands.ts'
import { expired, idAfter, itemsOf, toSlice } from './redis-stream.ts'
import type { RedisTail, RunNames, Tidings } from './redis-tail.ts'

export interface RedisReaderOptions {
  readonly run: RunNames
  readonly commands: RedisCommands
  readonly tail: RedisTail
}

/** A slow reader takes a log in pieces. */
const MOST_ENTRIES = 500

export function createRedisReader({ run, commands, tail }: RedisReaderOptions): LogReader {
  /** Where the last read ended, when there was nothing more: from there the tail has what follows. */
  let caughtUpAt: number | undefined

  const readNow = async (after: number): Promise<Tidings> => {
    const reply = await commands.run('read', [run.hash, run.stream], [run.id, idAfter(after), MOST_ENTRIES])
    const [state, entries] = Array.isArray(reply) ? reply : []
    return state === 'gone' || state === 'orphaned' ? state : itemsOf(entries)
  }

  const readOrWait = async (after: number, signal: AbortSignal): Promise<Tidings> => {
    if (after !== caughtUpAt) {
      const tidings = await unlessAborted(readNow(after), signal)
      if (tidings.length > 0) return tidings
    }
    return tail.wait(run, after, signal)
  }

  return {
    async read(after, signal) {
      signal.throwIfAborted()
      const tidings = await readOrWait(after, signal)
      if (tidings === 'gone') throw expired()
      if (tidings === 'orphaned') return { entries: [], end: after, closed: false, orphaned: true }
      const slice = toSlice(after, tidings)
      caughtUpAt = tidings.length < MOST_ENTRIES ? slice.end : undefined
      return slice
    },
  }
}

function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('The read was aborted.'))
    signal.addEventListener('abort', abort)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
