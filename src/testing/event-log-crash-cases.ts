import type { EventLog } from '../server/event-log/event-log.ts'
import {
  adopt,
  append,
  CANCEL,
  create,
  expectRefused,
  expectSame,
  findReader,
  frame,
  readEverything,
  restartRun,
  unlessAborted,
  answered,
  type OpenLog,
} from './event-log-scene.ts'

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
