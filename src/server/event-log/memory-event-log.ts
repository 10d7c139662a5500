import { AgentError } from '../../base/agent-error.ts'
import { noop } from '../../base/noop.ts'
import { abortReason, onAbort } from '../../base/on-abort.ts'
import { type Clock, systemClock } from '../../base/ports/clock.ts'
import { createIdleWait } from './idle-wait.ts'
import type {
  CommandHandler,
  RunCommand,
  RunReply,
  EventLog,
  LogEntry,
  LogReader,
  LogSlice,
  LogWriter,
} from './event-log.ts'

export interface MemoryEventLogOptions {
  /** Milliseconds a finished run stays readable (CAP section 6, rule 3). @default 600_000 */
  readonly ttlMs?: number | undefined
  /**
   * Most memory kept for finished runs, in bytes; the oldest go first. Runs in progress have `maxLiveBytes`.
   *
   * @default 64_000_000
   */
  readonly maxBytes?: number | undefined
  /**
   * Most memory that all runs in progress take together, in bytes. A run that needs more is discarded with `storage_full`, and while
   * none is left no run begins: the server answers 503.
   *
   * @default 256_000_000
   */
  readonly maxLiveBytes?: number | undefined
  /** How many expired runs are remembered as such, so that they are refused and not run again. @default 10_000 */
  readonly maxRemembered?: number | undefined
  /** Timers and time: replaced in tests. @default the platform's */
  readonly clock?: Clock | undefined
}

interface LoggedRun {
  readonly entries: LogEntry[]
  /** Wakes readers that have read everything so far. */
  readonly waiting: Set<() => void>
  /** What was read last of an open run: those who follow it read the same, one after the other, and its bytes are made once. */
  last: { readonly after: number; readonly slice: LogSlice } | undefined
  bytes: number
  state: 'open' | 'closed' | 'expired'
  /** Absent: nobody takes commands for it. */
  handle: CommandHandler | undefined
  /** Calls `handle` where the run is written; without a command it only shows that it is. */
  readonly callWriter: (command?: RunCommand) => Promise<RunReply | undefined>
  /** Clock time at which the writer was last known to exist. */
  seenAt: number
  /** Clock time at which a closed run expires. */
  deadline: number
}

const TEN_MINUTES_MS = 600_000
/** Longest wait for a writer that exists: it only has to be called. */
const WRITER_TIMEOUT_MS = 5_000
/** Most UTF-16 units that a slow reader gets in one slice, or one entry: its memory must not grow with the run. */
const SLICE_LENGTH = 65_536
/** JavaScript keeps text as UTF-16. */
const BYTES_PER_UNIT = 2

/**
 * An event log in the memory of one process. It has no timers: what is overdue is swept whenever the
 * log is used, and `maxBytes` bounds what an idle process can hold.
 *
 * @example
 * ```ts
 * import { createAgentHandler, memoryEventLog } from 'capstan/server'
 *
 * const log = memoryEventLog({ ttlMs: 60_000, maxBytes: 16_000_000 })
 * export const POST = createAgentHandler({ agent: async () => ({ output: { text: 'Rivers meander.' } }), log })
 * ```
 */
export function memoryEventLog(options: MemoryEventLogOptions = {}): EventLog {
  const { ttlMs = TEN_MINUTES_MS, maxBytes = 64_000_000, maxLiveBytes = 256_000_000 } = options
  const { maxRemembered = 10_000, clock = systemClock } = options
  const open = new Map<string, LoggedRun>()
  /** In order of closing, so the first is always the next to expire. */
  const closed = new Map<string, LoggedRun>()
  const remembered = new Set<string>()
  let closedBytes = 0
  let liveBytes = 0

  const expireRun = (key: string, run: LoggedRun): void => {
    if (run.state === 'closed') closedBytes -= run.bytes
    else if (run.state === 'open') liveBytes -= run.bytes
    run.state = 'expired'
    // Slow readers still have a reference to the run: they get an error, and the text is freed immediately.
    run.entries.length = 0
    run.last = undefined
    run.handle = undefined
    if (open.get(key) === run) open.delete(key)
    if (closed.get(key) === run) closed.delete(key)
    remembered.add(key)
    for (const oldest of remembered) {
      if (remembered.size <= maxRemembered) break
      remembered.delete(oldest)
    }
    wake(run)
  }

  /**
   * Whether the writer of an open run exists. Where requests have their own contexts, as in workerd, it ends with the request that
   * began the run.
   */
  const hasWriter = (key: string, run: LoggedRun): Promise<boolean> =>
    new Promise((resolve) => {
      const cancel = clock.after(WRITER_TIMEOUT_MS, () => {
        if (run.state === 'open') expireRun(key, run)
        resolve(false)
      })
      const seen = (): void => {
        cancel()
        run.seenAt = clock.now()
        resolve(true)
      }
      void run.callWriter().then(seen)
    })

  const sweep = (): void => {
    const now = clock.now()
    // One at a time, the one first that was longest not looked at.
    for (const [key, run] of open) {
      if (run.seenAt + ttlMs > now) break
      open.delete(key)
      open.set(key, run)
      run.seenAt = now
      void hasWriter(key, run)
      break
    }
    for (const [key, run] of closed) {
      if (run.deadline > now && closedBytes <= maxBytes) return
      expireRun(key, run)
    }
  }

  const writerOf = (key: string, run: LoggedRun): LogWriter => ({
    async append(entry) {
      if (run.state !== 'open') throw expired()
      const bytes = entry.kind === 'stream' ? 0 : entry.text.length * BYTES_PER_UNIT
      if (liveBytes + bytes > maxLiveBytes) {
        expireRun(key, run)
        throw full()
      }
      run.entries.push(entry)
      run.bytes += bytes
      liveBytes += bytes
      wake(run)
    },
    async close() {
      if (run.state !== 'open') return
      run.state = 'closed'
      run.handle = undefined
      run.deadline = clock.now() + ttlMs
      open.delete(key)
      closed.set(key, run)
      closedBytes += run.bytes
      liveBytes -= run.bytes
      wake(run)
      sweep()
    },
    async discard() {
      if (run.state === 'open') expireRun(key, run)
    },
    onCommand(handle) {
      run.handle = handle
    },
  })

  /** Expires the open run of a key, if its writer is gone. */
  const checkWriter = async (key: string): Promise<void> => {
    const run = open.get(key)
    if (run !== undefined) await hasWriter(key, run)
  }

  /** Undefined: the run has ended on the way. */
  const replyTo = async (key: string, run: LoggedRun, command: RunCommand): Promise<RunReply | undefined> => {
    const silence = createIdleWait<RunReply | undefined>(clock, WRITER_TIMEOUT_MS)
    try {
      for (;;) {
        const reply = await silence.orBeat(() => run.callWriter(command))
        if (reply !== 'silent') return reply
        if (!(await hasWriter(key, run))) return undefined
      }
    } finally {
      silence.end()
    }
  }

  return {
    async begin(key, { restart = false } = {}) {
      sweep()
      // Only where one is open: of all callers that find none the first begins it.
      if (open.has(key)) await checkWriter(key)
      const known = open.get(key) ?? closed.get(key)
      if (known) return { state: 'exists', reader: readerOf(known, () => hasWriter(key, known)) }
      if (remembered.has(key) && !restart) return { state: 'expired' }
      if (liveBytes >= maxLiveBytes) throw full()
      remembered.delete(key)
      const callWriter = inOwnContext(async (command?: RunCommand) => command && run.handle?.(command))
      const run: LoggedRun = {
        entries: [],
        waiting: new Set(),
        last: undefined,
        bytes: 0,
        state: 'open',
        handle: undefined,
        callWriter,
        seenAt: clock.now(),
        deadline: Infinity,
      }
      open.set(key, run)
      return {
        state: 'created',
        writer: writerOf(key, run),
        reader: readerOf(run, () => hasWriter(key, run)),
      }
    },
    async find(key) {
      sweep()
      await checkWriter(key)
      const run = open.get(key) ?? closed.get(key)
      if (run) return { state: 'exists', reader: readerOf(run, () => hasWriter(key, run)) }
      return { state: remembered.has(key) ? 'expired' : 'unknown' }
    },
    async expire(key) {
      const run = open.get(key) ?? closed.get(key)
      if (run) expireRun(key, run)
    },
    async command(key, command) {
      sweep()
      await checkWriter(key)
      const run = open.get(key)
      if (run !== undefined) {
        if (run.handle === undefined) return { state: 'unavailable' }
        const reply = await replyTo(key, run, command)
        if (reply !== undefined) return { state: 'replied', reply }
      }
      // It may have ended on the way.
      const ended = closed.get(key)
      if (ended !== undefined) return { state: 'closed', reader: readerOf(ended) }
      return { state: remembered.has(key) ? 'expired' : 'unknown' }
    },
  }
}

function readerOf(run: LoggedRun, check?: () => unknown): LogReader {
  return {
    ...(check !== undefined && {
      checkWriter() {
        if (run.state === 'open') void check()
      },
    }),
    async read(after, signal) {
      signal.throwIfAborted()
      if (run.state === 'open' && run.entries.length <= after) return change(run, after, signal)
      if (run.state === 'expired') throw expired()
      const slice = sliceOf(run, after)
      // The memory of a finished run is what its entries take.
      if (run.state === 'closed') run.last = undefined
      return slice
    },
  }
}

function sliceOf(run: LoggedRun, after: number): LogSlice {
  const { entries, last } = run
  if (last?.after === after && last.slice.end === entries.length && last.slice.closed === (run.state !== 'open'))
    return last.slice
  let end = after
  for (let length = 0; end < entries.length && length < SLICE_LENGTH; end++) {
    const entry = entries[end]
    if (entry !== undefined && entry.kind !== 'stream') length += entry.text.length
  }
  const slice = { entries: entries.slice(after, end), end, closed: run.state !== 'open' && end >= entries.length }
  run.last = { after, slice }
  return slice
}

function wake(run: LoggedRun): void {
  const waiting = [...run.waiting]
  run.waiting.clear()
  for (const settle of waiting) settle()
  if (run.state !== 'open') run.last = undefined
}

async function change(run: LoggedRun, after: number, signal: AbortSignal): Promise<LogSlice> {
  let release = noop
  // The writer only resolves this: the signal belongs to the reading request.
  await new Promise<void>((resolve) => {
    run.waiting.add(resolve)
    release = onAbort(signal, () => {
      run.waiting.delete(resolve)
      resolve()
    })
  })
  release()
  if (signal.aborted) throw abortReason(signal, 'The read was aborted.')
  if (run.state === 'expired') throw expired()
  return sliceOf(run, after)
}

function full(): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'storage_full',
    severity: 'TRANSIENT',
    message:
      'The answers in progress take all the memory that the event log may use. Raise `maxLiveBytes`, or keep answers in Redis or SQLite.',
  })
}

function expired(): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'log_expired',
    severity: 'FATAL',
    message:
      'The log of this run is gone, because it expired or the server deleted it. Ask again under a new request id.',
  })
}

/**
 * Binds a function to the current asynchronous context, independent of its caller. In workerd a context is a request: its
 * timers, streams and signals can be used in no other, and a promise that another request resolves continues in the one that made it.
 * Once a context has ended its calls never settle.
 */
export function inOwnContext<Value, Result>(
  call: (value: Value) => Promise<Result>,
): (value: Value) => Promise<Result> {
  let waiting: (() => void)[] = []
  let wake = (): void => {}

  const listen = (): void => {
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    void woken.then(startAll)
  }

  const startAll = (): void => {
    const due = waiting
    waiting = []
    listen()
    for (const start of due) start()
  }

  listen()
  return (value) =>
    new Promise((resolve, reject) => {
      waiting.push(() => void call(value).then(resolve, reject))
      wake()
    })
}
