import type {
  EventLog,
  Adopted,
  Begun,
  LogEntry,
  LogReader,
  LogSlice,
  LogWriter,
} from '../server/event-log/event-log.ts'
import { isAgentError } from '../base/agent-error.ts'
import { systemClock } from '../base/ports/clock.ts'

/** A log that has not answered after so long never will. Only a log that breaks its promise makes a case wait for it. */
const PATIENCE_MS = 20_000

export const CANCEL = { name: 'cancel' } as const

/** Logs of a process that dies, and of the next one. */
interface Crash {
  readonly before: EventLog
  /** Ends the process of `before`. */
  next(): Promise<EventLog>
}

/** A case that needs another process: nothing to check for a log that dies with its own. */
function afterCrash(check: (crash: Crash) => Promise<void>): (open: OpenLog) => Promise<void> {
  return async (open) => {
    const under = await open()
    const { crash } = under
    if (crash === undefined) return
    await check({ before: under.log, next: () => crash.call(under) })
  }
}

/** What a log does that outlives its process. */
export const CRASH_CASES: Readonly<Record<string, (open: OpenLog) => Promise<void>>> = {
  'a finished run is read whole by the next process, and cannot be adopted': afterCrash(async ({ before, next }) => {
    const { writer } = await create(before, 'run')
    await append(writer, 'a')
    await writer.close()
    const log = await next()
    expectSame('entries', await readEverything(await findReader(log, 'run')), [frame('a')])
    expectSame('adoption', (await log.adopt?.('run')) === undefined, true)
  }),
  'a run whose writer died keeps its entries, and is then reported as orphaned': afterCrash(
    async ({ before, next }) => {
      const { writer } = await create(before, 'run')
      for (const text of ['a', 'b']) await append(writer, text)
      const reader = await findReader(await next(), 'run')
      expectSame('entries', (await reader.read(0, unlessAborted())).entries, [frame('a'), frame('b')])
      const slice = await answered('the end of an orphaned log', reader.read(2, unlessAborted()))
      expectSame('slice', slice, { entries: [], end: 2, closed: false, orphaned: true })
    },
  ),
  'adopt makes exactly one of many callers the writer of an orphaned run': afterCrash(async ({ before, next }) => {
    const { writer } = await create(before, 'run')
    for (const text of ['a', 'b']) await append(writer, text)
    const log = await next()
    const adopted = await Promise.all(Array.from({ length: 10 }, async () => log.adopt?.('run')))
    expectSame(
      'counters of the last entry',
      adopted.flatMap((each) => each?.end ?? []),
      [2],
    )
  }),
  'the writer that adopts a run continues after its last entry': afterCrash(async ({ before, next }) => {
    const { writer } = await create(before, 'run')
    await append(writer, 'a')
    const log = await next()
    const adopted = await adopt(log, 'run')
    await append(adopted.writer, 'b')
    await adopted.writer.close()
    expectSame('entries', await readEverything(await findReader(log, 'run')), [frame('a'), frame('b')])
  }),
  'the writer before an adoption can add nothing, close nothing and discard nothing': afterCrash(
    async ({ before, next }) => {
      const { writer } = await create(before, 'run')
      await append(writer, 'a')
      const log = await next()
      await adopt(log, 'run')
      await expectRefused('an append of the writer before', append(writer, 'late'))
      // Whether it rejects depends on what the log knows: the run of its successor stays as it is.
      await writer.close().catch(() => {})
      await writer.discard().catch(() => {})
      const slice = await (await findReader(log, 'run')).read(0, unlessAborted())
      expectSame('slice', slice, { entries: [frame('a')], end: 1, closed: false })
    },
  ),
  'restart takes an orphaned run for an expired one': afterCrash(async ({ before, next }) => {
    const { writer } = await create(before, 'run')
    await append(writer, 'old')
    const log = await next()
    expectSame('state without restart', (await log.begin('run')).state, 'exists')
    const again = await restartRun(log, 'run')
    await append(again.writer, 'new')
    await again.writer.close()
    expectSame('entries', await readEverything(again.reader), [frame('new')])
  }),
  'command reports a run whose writer died as orphaned': afterCrash(async ({ before, next }) => {
    if (before.command === undefined) return
    await create(before, 'run')
    const log = await next()
    expectSame('state', (await log.command?.('run', CANCEL))?.state, 'orphaned')
  }),
}

/** An event log that a case has for itself. */
export interface EventLogUnderTest {
  /** Has no runs when the case begins. */
  readonly log: EventLog
  /** How long the log keeps a finished run, in milliseconds. A short time makes the suite quick where `pass` waits for real. */
  readonly ttlMs: number
  /** Lets time pass for the log. @default waits for so long */
  pass?(ms: number): Promise<void>
  /**
   * Ends the process that writes as a crash would, and opens the same log as another process finds it once the runs of the first are
   * orphaned. The first `log` may still be called, and must be refused. Absent: a log that lives and dies with its process; the cases of
   * a crash then pass without a check.
   */
  crash?(): Promise<EventLog>
  /** Called at the end of the case. */
  close?(): Promise<void> | void
}

/** Opens the log of a case. */
export type OpenLog = (limits?: { readonly maxBytes?: number }) => Promise<EventLogUnderTest>

type Created = Extract<Begun, { state: 'created' }>

/** A signal that never aborts. Each call makes its own: workerd makes none while a module loads, and keeps each to its request. */
export function unlessAborted(): AbortSignal {
  return new AbortController().signal
}

export function frame(text: string): LogEntry {
  return { kind: 'frame', text }
}

export function append(writer: LogWriter, text: string): Promise<void> {
  return writer.append(frame(text))
}

/** In one step where the writer can. */
export async function appendAll(writer: LogWriter, texts: readonly string[]): Promise<void> {
  if (writer.appendAll !== undefined) return writer.appendAll(texts.map(frame))
  for (const text of texts) await append(writer, text)
}

export function textsOf({ entries }: LogSlice): readonly string[] {
  return entries.map((entry) => (entry.kind === 'stream' ? '' : entry.text))
}

export async function create(log: EventLog, key: string): Promise<Created> {
  return created(await log.begin(key))
}

export async function restartRun(log: EventLog, key: string): Promise<Created> {
  return created(await log.begin(key, { restart: true }))
}

function created(begun: Begun): Created {
  if (begun.state !== 'created') throw new Error(`begin gave the state ${begun.state} instead of created.`)
  return begun
}

export async function findReader(log: EventLog, key: string): Promise<LogReader> {
  const found = await log.find(key)
  if (found.state !== 'exists') throw new Error(`find gave the state ${found.state} instead of exists.`)
  return found.reader
}

async function adopt(log: EventLog, key: string): Promise<Adopted> {
  const adopted = await log.adopt?.(key)
  if (adopted === undefined) throw new Error('adopt gave undefined for an orphaned log.')
  return adopted
}

/** Reads until the log is closed. */
export async function readEverything(reader: LogReader, after = 0): Promise<LogEntry[]> {
  const all: LogEntry[] = []
  for (let end = after; ;) {
    const slice = await answered('the next entries', reader.read(end, unlessAborted()))
    if (slice.orphaned) throw new Error('The log is orphaned instead of closed.')
    all.push(...slice.entries)
    end = slice.end
    if (slice.closed) return all
  }
}

/** A promise that is awaited later: until then its rejection is not reported. */
export function started<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

/** Rejects when a log does not answer. */
export function answered<Value>(what: string, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = systemClock.after(PATIENCE_MS, () =>
      reject(new Error(`The log did not give ${what} within ${PATIENCE_MS / 1000} s.`)),
    )
    promise.then(resolve, reject).finally(cancel)
  })
}

/** Compares as JSON, with the keys in one order. */
export function expectSame(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [sorted(found), sorted(expected)]
  if (one !== other)
    throw new Error(`The log gave another ${what} than expected.\nExpected: ${other}\nFound:    ${one}`)
}

function sorted(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  )
}

/** Expects a rejection with an AgentError of that code. */
export async function expectCode(what: string, promise: Promise<unknown>, code: string): Promise<void> {
  const outcome = await answered(`an answer to ${what}`, promise).then(
    () => 'nothing',
    (error: unknown) => (isAgentError(error) ? error.code : String(error)),
  )
  if (outcome !== code) throw new Error(`The log rejected ${what} with ${outcome} instead of ${code}.`)
}

/** Expects a rejection with an AgentError of any code. */
async function expectRefused(what: string, promise: Promise<unknown>): Promise<void> {
  const outcome = await answered(`an answer to ${what}`, promise).then(
    () => 'nothing',
    (error: unknown) => (isAgentError(error) ? undefined : String(error)),
  )
  if (outcome !== undefined) throw new Error(`The log rejected ${what} with ${outcome} instead of an AgentError.`)
}
