import { AgentError } from '../../base/agent-error.ts'
import type { Clock } from '../../base/clock.ts'
import { systemClock } from '../../base/clock.ts'
import type { EventLog, LogEntry, LogReader, LogSlice, LogWriter } from './event-log.ts'

export interface MemoryEventLogOptions {
  /** Milliseconds a finished run stays readable (default 10 minutes, CAP section 6, rule 3). */
  readonly ttlMs?: number | undefined
  /** Most memory kept for finished runs, in bytes; the oldest go first (default 64 MB). Runs still going are never cut. */
  readonly maxBytes?: number | undefined
  /** How many expired runs are remembered as such, so that they are refused and not run again (default 10,000). */
  readonly maxRemembered?: number | undefined
  readonly clock?: Clock | undefined
}

interface Run {
  readonly entries: LogEntry[]
  readonly waiting: Set<() => void>
  bytes: number
  state: 'open' | 'closed' | 'expired'
  /** Clock time at which a closed run expires. */
  deadline: number
}

const TEN_MINUTES_MS = 600_000
/** A reader that is behind gets so many UTF-16 units at once, or one entry: what it holds must not grow with the run. */
const SLICE_LENGTH = 65_536
/** JavaScript keeps text as UTF-16. */
const BYTES_PER_UNIT = 2

/**
 * An event log in the memory of one process. It has no timers: what is overdue is swept whenever the
 * log is used, and `maxBytes` bounds what an idle process can hold.
 */
export function memoryEventLog(options: MemoryEventLogOptions = {}): EventLog {
  const { ttlMs = TEN_MINUTES_MS, maxBytes = 64_000_000, maxRemembered = 10_000, clock = systemClock } = options
  const open = new Map<string, Run>()
  /** In order of closing, so the first is always the next to expire. */
  const closed = new Map<string, Run>()
  const remembered = new Set<string>()
  let closedBytes = 0

  const expireRun = (key: string, run: Run): void => {
    if (run.state === 'closed') closedBytes -= run.bytes
    run.state = 'expired'
    // Readers that are behind still hold the run: they are told that it is gone, and its text goes now.
    run.entries.length = 0
    if (open.get(key) === run) open.delete(key)
    if (closed.get(key) === run) closed.delete(key)
    remembered.add(key)
    for (const oldest of remembered) {
      if (remembered.size <= maxRemembered) break
      remembered.delete(oldest)
    }
    wake(run)
  }

  const sweep = (): void => {
    const now = clock.now()
    for (const [key, run] of closed) {
      if (run.deadline > now && closedBytes <= maxBytes) return
      expireRun(key, run)
    }
  }

  const writerOf = (key: string, run: Run): LogWriter => ({
    async append(entry) {
      if (run.state !== 'open') throw expired()
      run.entries.push(entry)
      run.bytes += entry.kind === 'stream' ? 0 : entry.text.length * BYTES_PER_UNIT
      wake(run)
    },
    async close() {
      if (run.state !== 'open') return
      run.state = 'closed'
      run.deadline = clock.now() + ttlMs
      open.delete(key)
      closed.set(key, run)
      closedBytes += run.bytes
      wake(run)
      sweep()
    },
    async discard() {
      if (run.state === 'open') expireRun(key, run)
    },
  })

  return {
    async begin(key, { restart = false } = {}) {
      sweep()
      const known = open.get(key) ?? closed.get(key)
      if (known) return { state: 'exists', reader: readerOf(known) }
      if (remembered.has(key) && !restart) return { state: 'expired' }
      remembered.delete(key)
      const run: Run = { entries: [], waiting: new Set(), bytes: 0, state: 'open', deadline: Infinity }
      open.set(key, run)
      return { state: 'created', writer: writerOf(key, run), reader: readerOf(run) }
    },
    async find(key) {
      sweep()
      const run = open.get(key) ?? closed.get(key)
      if (run) return { state: 'exists', reader: readerOf(run) }
      return { state: remembered.has(key) ? 'expired' : 'unknown' }
    },
    async expire(key) {
      const run = open.get(key) ?? closed.get(key)
      if (run) expireRun(key, run)
    },
  }
}

function readerOf(run: Run): LogReader {
  return {
    async read(after, signal) {
      signal.throwIfAborted()
      if (run.state === 'open' && run.entries.length <= after) await change(run, signal)
      if (run.state === 'expired') throw expired()
      return sliceOf(run, after)
    },
  }
}

function sliceOf(run: Run, after: number): LogSlice {
  let end = after
  for (let length = 0; end < run.entries.length && length < SLICE_LENGTH; end++) {
    const entry = run.entries[end]
    if (entry !== undefined && entry.kind !== 'stream') length += entry.text.length
  }
  return { entries: run.entries.slice(after, end), end, closed: run.state !== 'open' && end >= run.entries.length }
}

function wake(run: Run): void {
  for (const call of [...run.waiting]) call()
}

function change(run: Run, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      run.waiting.delete(settle)
      signal.removeEventListener('abort', settle)
      if (signal.aborted) reject(signal.reason instanceof Error ? signal.reason : new Error('The read was aborted.'))
      else resolve()
    }
    run.waiting.add(settle)
    signal.addEventListener('abort', settle)
  })
}

function expired(): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'log_expired',
    severity: 'FATAL',
    message: 'The log of this run is gone, because it was kept too long or the server dropped it. Ask again under a new request id.',
  })
}
