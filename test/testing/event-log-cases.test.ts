import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { isAgentError } from '../../src/base/agent-error.ts'
import { abortReason } from '../../src/base/on-abort.ts'
import type { Adopted, Begun, EventLog, LogReader, LogSlice, LogWriter } from '../../src/server/event-log/event-log.ts'
import { memoryEventLog } from '../../src/server/event-log/memory-event-log.ts'
import { sqliteEventLog } from '../../src/server/event-log/sqlite/sqlite-event-log.ts'
import { eventLogCases } from '../../src/testing/event-log-cases.ts'
import type { EventLogUnderTest } from '../../src/testing/event-log-crash-cases.ts'
import { openWasm } from '../server/event-log/sqlite/open-sqlite.ts'
import { createManualClock } from '../support/manual-clock.ts'

/** What a wrapper knows of a run. */
interface RunState {
  readonly key: string
  readonly log: EventLog
  entries: number
  appending: number
  waiting: number
  isClosed: boolean
  isDiscarded: boolean
  isExpired: boolean
  isReplaced: boolean
}

/** What is broken of a log: each function is given the one that works. */
interface Fault {
  readonly log?: (inner: EventLog, stateOf: (key: string) => RunState | undefined) => Partial<EventLog>
  readonly writer?: (inner: LogWriter, run: RunState) => Partial<LogWriter>
  readonly reader?: (inner: LogReader, run: RunState) => Partial<LogReader>
  readonly adopted?: (inner: Adopted) => Adopted
  /** Limits that the log has instead of those that it is given. */
  readonly limits?: { readonly maxBytes: number }
  readonly under?: (under: EventLogUnderTest) => EventLogUnderTest
}

/** Wraps a log, with a fault. */
function breakLog(log: EventLog, fault: Fault): EventLog {
  const runs = new Map<string, RunState>()
  const stateOf = (key: string): RunState | undefined => runs.get(key)
  const runOf = (key: string): RunState => {
    const run = runs.get(key) ?? newRun(key, log)
    runs.set(key, run)
    return run
  }
  const writerOf = (inner: LogWriter, run: RunState): LogWriter => {
    const broken: LogWriter = { ...inner, ...fault.writer?.(inner, run) }
    return {
      ...broken,
      async append(entry) {
        run.appending += 1
        await broken.append(entry).finally(() => (run.appending -= 1))
        run.entries += 1
      },
      async close() {
        await broken.close()
        run.isClosed = true
      },
      async discard() {
        await broken.discard()
        run.isDiscarded = true
      },
    }
  }
  const readerOf = (inner: LogReader, run: RunState): LogReader => {
    const broken = fault.reader?.(inner, run).read ?? inner.read
    return {
      async read(after, signal) {
        run.waiting += 1
        return broken(after, signal).finally(() => (run.waiting -= 1))
      },
    }
  }
  const whole: EventLog = {
    ...log,
    async begin(key, options) {
      const begun = await log.begin(key, options)
      if (begun.state === 'expired') return begun
      if (begun.state === 'exists') return { ...begun, reader: readerOf(begun.reader, runOf(key)) }
      const before = stateOf(key)
      if (before !== undefined) before.isReplaced = true
      const run = newRun(key, log)
      runs.set(key, run)
      return { ...begun, writer: writerOf(begun.writer, run), reader: readerOf(begun.reader, run) }
    },
    async find(key) {
      const found = await log.find(key)
      return found.state === 'exists' ? { ...found, reader: readerOf(found.reader, runOf(key)) } : found
    },
    async expire(key) {
      const run = stateOf(key)
      if (run !== undefined) run.isExpired = true
      await log.expire(key)
    },
    ...(log.adopt && {
      async adopt(key: string) {
        const adopted = await log.adopt?.(key)
        return adopted && (fault.adopted?.(adopted) ?? adopted)
      },
    }),
  }
  return { ...whole, ...fault.log?.(whole, stateOf) }
}

function newRun(key: string, log: EventLog): RunState {
  return {
    key,
    log,
    entries: 0,
    appending: 0,
    waiting: 0,
    isClosed: false,
    isDiscarded: false,
    isExpired: false,
    isReplaced: false,
  }
}

const forever = new Promise<never>(() => {})
const scrap = async (): Promise<Begun> => memoryEventLog().begin('scrap')

/** A log that was broken in one way, by the case that finds it. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'begin creates a run for exactly one of many concurrent callers': {
    log(inner) {
      const beginning = new Set<string>()
      return {
        async begin(key, options) {
          if (beginning.has(key)) return scrap()
          beginning.add(key)
          return inner.begin(key, options).finally(() => beginning.delete(key))
        },
      }
    },
  },
  'find reports a key that was never begun as unknown': {
    log: (inner) => ({
      async find(key) {
        const found = await inner.find(key)
        return found.state === 'unknown' ? { state: 'expired' } : found
      },
    }),
  },
  'runs of keys that resemble each other are kept apart': {
    log: (inner) => ({
      begin: (key, options) => inner.begin(key.toLowerCase(), options),
      find: (key) => inner.find(key.toLowerCase()),
    }),
  },
  'read returns the entries after a counter, and the counter of the last': {
    reader(inner, run) {
      let last = 0
      return {
        async read(after, signal) {
          const isBehind = after > 0 && after !== last && after < run.entries
          const slice = await inner.read(after, signal)
          last = slice.end
          return isBehind ? { ...slice, entries: slice.entries.slice(1) } : slice
        },
      }
    },
  },
  'read at the end of an open log waits for the next entry': {
    reader: (inner, run) => ({
      async read(after, signal) {
        const isFirst = run.entries === 0
        const slice = await inner.read(after, signal)
        return isFirst && slice.entries.length > 0 ? forever : slice
      },
    }),
  },
  'read at the end of an open log learns that the log was closed': {
    reader: (inner, run) => ({
      async read(after, signal) {
        const isOpen = !run.isClosed
        const slice = await inner.read(after, signal)
        return isOpen && slice.closed ? forever : slice
      },
    }),
  },
  'read reports a log as closed only with its last entry': {
    reader: (inner, run) => ({
      read: async (after, signal) => ({ ...(await inner.read(after, signal)), closed: run.isClosed }),
    }),
  },
  'text of any script, with NUL, line breaks and quotes, is read back unchanged': {
    writer: (inner) => ({
      append: (entry) =>
        inner.append(entry.kind === 'frame' ? { ...entry, text: entry.text.replaceAll('\u0000', '') } : entry),
    }),
  },
  'one entry of a million characters is read back whole': {
    writer: (inner) => ({
      append: (entry) =>
        inner.append(entry.kind === 'frame' ? { ...entry, text: entry.text.slice(0, 500_000) } : entry),
    }),
  },
  'entries keep their kind and their control commands': {
    writer: (inner) => ({ append: (entry) => inner.append(entry.kind === 'stream' ? { kind: 'stream' } : entry) }),
  },
  'appends that are not awaited are kept in their order': {
    writer: (inner, run) => ({
      async append(entry) {
        if (run.appending % 2 === 0) for (let turns = 0; turns < 100; turns++) await Promise.resolve()
        await inner.append(entry)
      },
    }),
  },
  'appendAll adds all of its entries in their order': {
    writer: (inner) => ({
      async appendAll(entries) {
        for (const entry of entries.toReversed()) await inner.append(entry)
      },
    }),
  },
  'many readers follow a run, each from its own place, while it is written': {
    reader: (inner, run) => ({
      read: async (after, signal) => (run.waiting > 3 && !run.isClosed ? forever : inner.read(after, signal)),
    }),
  },
  'read rejects with the reason of its signal, and other reads wait on': {
    reader: (inner) => ({
      async read(after, signal) {
        if (signal.aborted) throw abortReason(signal, '')
        return inner.read(after, signal).catch((error: unknown) => {
          throw signal.aborted ? new Error('Aborted.') : error
        })
      },
    }),
  },
  'read rejects at once when its signal has aborted before': {
    reader: (inner) => ({
      read: (after, signal) => inner.read(after, signal.aborted ? new AbortController().signal : signal),
    }),
  },
  'a finished run can be found, begun and read again': {
    log: (inner, stateOf) => ({
      async begin(key, options) {
        if (options?.restart !== true && stateOf(key)?.isClosed === true) return { state: 'expired' }
        return inner.begin(key, options)
      },
    }),
  },
  'restart leaves a run that is open or finished as it is': {
    log: (inner, stateOf) => ({
      async begin(key, options) {
        if (options?.restart === true && stateOf(key)?.isClosed === true) await inner.expire(key)
        return inner.begin(key, options)
      },
    }),
  },
  'a finished run expires after its time, and is remembered as expired': {
    under: (under) => ({ ...under, pass: async () => {} }),
  },
  'an open run never expires': {
    under: (under) => ({
      ...under,
      async pass(ms) {
        await under.pass?.(ms)
        await under.log.expire('run')
      },
    }),
  },
  'the oldest finished runs are dropped when all take more than maxBytes': {
    limits: { maxBytes: Infinity },
  },
  'expire ends the reads of an open run': {
    reader: (inner, run) => ({
      async read(after, signal) {
        const wasExpired = run.isExpired
        return inner.read(after, signal).catch((error: unknown) => {
          if (!wasExpired && run.isExpired) return forever
          throw error
        })
      },
    }),
  },
  'expire refuses what the writer still appends, and its close': {
    writer: (inner, run) => ({
      append: async (entry) => (run.isExpired && !run.isReplaced ? undefined : inner.append(entry)),
    }),
  },
  'expire of a finished, an expired or an unknown run is no error': {
    log: (inner, stateOf) => ({
      async expire(key) {
        if (stateOf(key) === undefined) throw new Error('There is no such run.')
        await inner.expire(key)
      },
    }),
  },
  'restart of an expired run is apart from the run before': {
    writer: (inner, run) => ({
      async discard() {
        await inner.discard()
        if (run.isReplaced) await run.log.expire(run.key)
      },
    }),
  },
  'discard ends the reads and leaves nothing of the run': { writer: (inner) => ({ discard: () => inner.close() }) },
  'discard twice, or a close after it, is no error': {
    writer: (inner, run) => ({
      async discard() {
        if (run.isDiscarded) throw new Error('It is discarded.')
        await inner.discard()
      },
    }),
  },
  'discard and a second close change nothing of a closed run': {
    writer: (inner, run) => ({ discard: () => (run.isClosed ? run.log.expire(run.key) : inner.discard()) }),
  },
  'append to a closed run is refused': {
    writer: (inner, run) => ({
      append: async (entry) => (run.isClosed && !run.isDiscarded ? undefined : inner.append(entry)),
    }),
  },
  'command reaches the handler of the writer, and resolves with its reply': {
    log: (inner) => ({
      async command(key, command) {
        const commanded = await inner.command?.(key, command)
        return commanded === undefined || commanded.state === 'replied' ? { state: 'unavailable' } : commanded
      },
    }),
  },
  'command reports a run that is unknown, has no handler, or has expired': {
    log: (inner) => ({
      async command(key, command) {
        const commanded = await inner.command?.(key, command)
        return commanded === undefined || commanded.state === 'expired' ? { state: 'unknown' } : commanded
      },
    }),
  },
  'command of a closed run gives its log, and no handler receives it': {
    log: (inner) => ({
      async command(key, command) {
        const commanded = await inner.command?.(key, command)
        return commanded === undefined || commanded.state === 'closed' ? { state: 'unavailable' } : commanded
      },
    }),
  },
}

/** The same for logs that outlive their process: of SQLite, because a log in memory does not. */
const CRASH_FAULTS: Readonly<Record<string, Fault>> = {
  'a finished run is read whole by the next process, and cannot be adopted': {
    log: (inner) => ({
      async adopt(key) {
        const adopted = await inner.adopt?.(key)
        const found = await inner.find(key)
        if (adopted !== undefined || found.state !== 'exists') return adopted
        const { closed } = await found.reader.read(0, new AbortController().signal)
        const begun = await scrap()
        return closed && begun.state === 'created' ? { writer: begun.writer, end: 0 } : undefined
      },
    }),
  },
  'a run whose writer died keeps its entries, and is then reported as orphaned': {
    reader: (inner) => ({
      async read(after, signal) {
        const { orphaned, ...slice }: LogSlice = await inner.read(after, signal)
        return { ...slice, closed: slice.closed || orphaned === true }
      },
    }),
  },
  'adopt makes exactly one of many callers the writer of an orphaned run': {
    log(inner) {
      const adopting = new Map<string, Promise<Adopted | undefined>>()
      return {
        async adopt(key) {
          const adopted = adopting.get(key) ?? Promise.resolve(inner.adopt?.(key))
          adopting.set(key, adopted)
          const own = await adopted
          // Those who come later get what a whole log gives.
          adopting.delete(key)
          return own
        },
      }
    },
  },
  'the writer that adopts a run continues after its last entry': {
    adopted: (adopted) => ({ ...adopted, writer: { ...adopted.writer, append: async () => {} } }),
  },
  'the writer before an adoption can add nothing, close nothing and discard nothing': {
    writer: (inner) => ({
      append: (entry) =>
        inner.append(entry).catch((error: unknown) => {
          // The log says that it has kept the entry.
          if (!isAgentError(error) || error.code !== 'busy') throw error
        }),
    }),
  },
  'restart takes an orphaned run for an expired one': {
    log: (inner) => ({
      begin: async (key, options) =>
        inner.begin(key, { restart: options?.restart === true && (await inner.find(key)).state === 'expired' }),
    }),
  },
  'command reports a run whose writer died as orphaned': {
    log: (inner) => ({
      async command(key, command) {
        const commanded = await inner.command?.(key, command)
        return commanded === undefined || commanded.state === 'orphaned' ? { state: 'unavailable' } : commanded
      },
    }),
  },
}

type Open = Parameters<(typeof eventLogCases)[number]['run']>[0]

function memoryWith(fault: Fault): Open {
  return (limits) => {
    const clock = createManualClock()
    const under: EventLogUnderTest = {
      log: breakLog(memoryEventLog({ ...limits, ...fault.limits, clock }), fault),
      ttlMs: 600_000,
      pass: (ms) => clock.advance(ms),
    }
    return fault.under?.(under) ?? under
  }
}

function sqliteWith(fault: Fault): Open {
  return (limits) => {
    const database = openWasm(':memory:')
    onTestFinished(() => void database.close())
    const clock = createManualClock()
    const open = (): EventLog => breakLog(sqliteEventLog(database, { ...limits, clock }), fault)
    return { log: open(), ttlMs: 600_000, pass: (ms) => clock.advance(ms), crash: async () => open() }
  }
}

/** Names of the cases that fail on a log. Time passes only when nothing else happens. */
async function failedCases(open: Open): Promise<readonly string[]> {
  const outcomes = eventLogCases.map(async ({ name, run }) =>
    run(open).then(
      () => [],
      () => [name],
    ),
  )
  let isOver = false
  const all = Promise.all(outcomes).finally(() => (isOver = true))
  while (!isOver) {
    for (let turns = 0; turns < 50 && !isOver; turns++)
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    await vi.runOnlyPendingTimersAsync()
  }
  return (await all).flat()
}

describe('eventLogCases', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('has a broken log for each case', () => {
    expect(Object.keys({ ...FAULTS, ...CRASH_FAULTS })).toEqual(eventLogCases.map(({ name }) => name))
  })

  it('passes a log that works, also inside the wrapper of the broken ones', async () => {
    expect(await failedCases(memoryWith({}))).toEqual([])
    expect(await failedCases(sqliteWith({}))).toEqual([])
  })

  it.each(Object.entries(FAULTS))('a memory log that breaks one promise fails one case: %s', async (name, fault) => {
    expect(await failedCases(memoryWith(fault))).toEqual([name])
  })

  it.each(Object.entries(CRASH_FAULTS))(
    'a SQLite log that breaks one promise fails one case: %s',
    async (name, fault) => {
      expect(await failedCases(sqliteWith(fault))).toEqual([name])
    },
  )

  it('closes each log that it has opened, also after a failure', async () => {
    const closed: string[] = []
    const [first] = eventLogCases
    const under = { log: memoryEventLog(), ttlMs: 1, close: () => void closed.push('closed') }
    await first?.run(() => under)
    await expect(first?.run(() => under)).rejects.toThrow('The log gave another states than expected.')
    expect(closed).toEqual(['closed', 'closed'])
  })
})
