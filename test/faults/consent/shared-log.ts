import { AgentError } from '../../../src/base/agent-error.ts'
import { onAbort } from '../../../src/base/on-abort.ts'
import type {
  EventLog,
  LogReader,
  LogSlice,
  LogWriter,
  CommandHandler,
  RunCommand,
  RunReply,
} from '../../../src/server/event-log/event-log.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import type { Thread, VirtualTime } from '../../storage/model/virtual-time.ts'

/** One store that several processes write to, each over its own network: what is on its way is lost with its process. */
export interface SharedLog {
  /** The log as a process sees it. */
  viewOf(process: Thread): EventLog
  /** A process died: its runs become orphaned after a while. */
  died(process: Thread): void
  /** The next write fails. */
  failNext(): void
  heal(): void
}

interface SharedRun {
  readonly writer: LogWriter
  owner: Thread
  /** Counts the owners: a writer of an earlier one can write no more. */
  term: number
  entries: number
  isClosed: boolean
  isOrphaned: boolean
  handle: CommandHandler | undefined
  readonly orphaned: Set<() => void>
}

/** How long a process that says nothing counts as alive. */
const LEASE_MS = 500
/** How long a process waits for the reply of another. */
const WAIT_LIMIT_MS = 1_000

export function createSharedLog(
  time: VirtualTime,
  random: () => number,
  clock: Parameters<typeof memoryEventLog>[0],
  arrived: (command: RunCommand) => void,
): SharedLog {
  const store = memoryEventLog(clock)
  const runs = new Map<string, SharedRun>()
  let fails = false
  let isHealed = false

  /** To the store and back. */
  const hop = (process: Thread): Promise<void> =>
    new Promise((resolve) => {
      process.post('disk', random() * 5, resolve)
    })

  const readerOf = (inner: LogReader, key: string): LogReader => ({
    async read(after, signal) {
      const run = runs.get(key)
      if (run === undefined || run.isClosed) return inner.read(after, signal)
      const nothing: LogSlice = { entries: [], end: after, closed: false, orphaned: true }
      if (run.isOrphaned && run.entries <= after) return nothing
      const own = new AbortController()
      const release = onAbort(signal, () => own.abort(signal.reason))
      const wake = (): void => own.abort()
      run.orphaned.add(wake)
      try {
        return await inner.read(after, own.signal)
      } catch (error) {
        if (signal.aborted || !own.signal.aborted) throw error
        return nothing
      } finally {
        run.orphaned.delete(wake)
        release()
      }
    },
  })

  const writerOf = (run: SharedRun, process: Thread): LogWriter => {
    const { term } = run
    let failed: AgentError | undefined
    const isOurs = (): boolean => run.term === term && !run.isClosed
    const write: NonNullable<LogWriter['appendAll']> = async (entries) => {
      if (failed !== undefined) throw failed
      await hop(process)
      if (!isOurs()) throw expired()
      if (fails) {
        fails = false
        throw (failed = unavailable())
      }
      for (const entry of entries) await run.writer.append(entry)
      run.entries += entries.length
    }
    return {
      append: (entry) => write([entry]),
      appendAll: write,
      async close() {
        if (failed !== undefined) {
          await this.discard()
          throw failed
        }
        await hop(process)
        if (!isOurs()) return
        run.isClosed = true
        run.handle = undefined
        await run.writer.close()
      },
      async discard() {
        await hop(process)
        if (!isOurs()) return
        run.isClosed = true
        run.handle = undefined
        await run.writer.discard()
      },
      onCommand(handle) {
        if (isOurs()) run.handle = handle
      },
    }
  }

  /** One letter to the process that writes a run, which may come twice, and its reply, which may not come. */
  const mail = (run: SharedRun, from: Thread, command: RunCommand): Promise<RunReply> =>
    new Promise((resolve) => {
      const cancel = from.post('timer', WAIT_LIMIT_MS, () => resolve({ result: 'unavailable' }))
      const { owner } = run
      const deliver = async (): Promise<void> => {
        arrived(command)
        const reply = await run.handle?.(command)
        if (reply === undefined || (!isHealed && random() < 0.1)) return
        // What a process says before it dies has been said.
        time.after(random() * 5, () =>
          from.post('message', 0, () => {
            cancel()
            resolve(reply)
          }),
        )
      }
      owner.post('message', random() * 10, () => void deliver())
      if (random() < 0.1) owner.post('message', random() * 200, () => void deliver())
    })

  return {
    viewOf: (process) => ({
      async begin(key, options) {
        await hop(process)
        const begun = await store.begin(key, options)
        if (begun.state === 'expired') return begun
        if (begun.state === 'exists') return { ...begun, reader: readerOf(begun.reader, key) }
        const run: SharedRun = {
          writer: begun.writer,
          owner: process,
          term: 1,
          entries: 0,
          isClosed: false,
          isOrphaned: false,
          handle: undefined,
          orphaned: new Set(),
        }
        runs.set(key, run)
        return { ...begun, writer: writerOf(run, process), reader: readerOf(begun.reader, key) }
      },
      async find(key) {
        await hop(process)
        const found = await store.find(key)
        return found.state === 'exists' ? { ...found, reader: readerOf(found.reader, key) } : found
      },
      expire: (key) => store.expire(key),
      async adopt(key) {
        await hop(process)
        const run = runs.get(key)
        if (run === undefined || !run.isOrphaned || run.isClosed) return undefined
        run.isOrphaned = false
        run.owner = process
        run.term += 1
        run.handle = undefined
        return { writer: writerOf(run, process), end: run.entries }
      },
      async command(key, command) {
        await hop(process)
        const found = await store.find(key)
        const run = runs.get(key)
        if (found.state !== 'exists') return { state: found.state }
        if (run === undefined || run.isClosed) return { state: 'closed', reader: readerOf(found.reader, key) }
        if (run.isOrphaned) return { state: 'orphaned', reader: readerOf(found.reader, key) }
        const reply = await mail(run, process, command)
        return reply.result === 'unavailable' ? { state: 'unavailable' } : { state: 'replied', reply }
      },
    }),
    died(process) {
      time.after(LEASE_MS, () => {
        for (const run of runs.values()) {
          if (run.owner !== process || run.isClosed || run.isOrphaned) continue
          run.isOrphaned = true
          run.term += 1
          for (const wake of [...run.orphaned]) wake()
        }
      })
    },
    failNext() {
      fails = !isHealed
    },
    heal() {
      isHealed = true
      fails = false
    },
  }
}

function expired(): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'log_expired',
    severity: 'FATAL',
    message: 'Another process has taken this log over.',
  })
}

function unavailable(): AgentError {
  return new AgentError({
    kind: 'connection',
    code: 'network_error',
    severity: 'TRANSIENT',
    message: 'The store could not keep the entry.',
  })
}
