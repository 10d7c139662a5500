import { systemClock, delay } from '../base/ports/clock.ts'
import type { LogEntry, LogReader } from '../server/event-log/event-log.ts'
import {
  CRASH_CASES,
  type EventLogUnderTest,
  append,
  appendAll,
  CANCEL,
  create,
  expectCode,
  expectSame,
  findReader,
  frame,
  readEverything,
  restartRun,
  started,
  textsOf,
  unlessAborted,
  answered,
  type OpenLog,
} from './event-log-crash-cases.ts'

/** One promise of an event log. */
export interface EventLogCase {
  /** Names the behaviour, for the title of a test. */
  readonly name: string
  /**
   * Rejects with an error that says what the log did instead.
   *
   * @param open opens a log with no runs in it. `maxBytes`: most that its finished runs may take together, absent: any amount
   */
  run(open: (limits: { readonly maxBytes?: number }) => EventLogUnderTest | Promise<EventLogUnderTest>): Promise<void>
}

/**
 * Conformance suite of event logs: what each log of this package does, as named cases for any test runner and any runtime. An app runs it
 * on its own log.
 *
 * @example
 * ```ts
 * import { memoryEventLog } from 'capstan/server'
 * import { eventLogCases, manualClock } from 'capstan/testing'
 * import { test } from 'node:test'
 *
 * for (const { name, run } of eventLogCases)
 *   test(name, () =>
 *     run((limits) => {
 *       const clock = manualClock()
 *       const log = memoryEventLog({ ...limits, clock, ttlMs: 60_000 })
 *       return { log, ttlMs: 60_000, pass: (ms) => clock.advance(ms) }
 *     }),
 *   )
 * ```
 */
export const eventLogCases: readonly EventLogCase[] = Object.entries({ ...casesOfOneProcess(), ...CRASH_CASES }).map(
  ([name, check]) => ({
    name,
    async run(open) {
      const opened: EventLogUnderTest[] = []
      try {
        await check(async (limits = {}) => {
          const under = await open(limits)
          opened.push(under)
          return under
        })
      } finally {
        for (const under of opened) await under.close?.()
      }
    },
  }),
)

function casesOfOneProcess(): Readonly<Record<string, (open: OpenLog) => Promise<void>>> {
  return {
    async 'begin creates a run for exactly one of many concurrent callers'(open) {
      const { log } = await open()
      const states = await Promise.all(Array.from({ length: 20 }, async () => (await log.begin('run')).state))
      expectSame('states', states.toSorted(), ['created', ...Array.from({ length: 19 }, () => 'exists')])
    },
    async 'find reports a key that was never begun as unknown'(open) {
      const { log } = await open()
      await create(log, 'run')
      expectSame('state', (await log.find('other')).state, 'unknown')
    },
    async 'runs of keys that resemble each other are kept apart'(open) {
      const { log } = await open()
      const keys = ['run', 'RUN', 'run ', 'run:1', 'run%', 'r_n', '{run}', "r'un", 'rün', 'ru\u0308n']
      for (const key of keys) await append((await create(log, key)).writer, key)
      for (const key of keys)
        expectSame(`entries of ${key}`, textsOf(await (await findReader(log, key)).read(0, unlessAborted())), [key])
    },
    async 'read returns the entries after a counter, and the counter of the last'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      for (const text of ['a', 'b', 'c']) await append(writer, text)
      const slice = await reader.read(1, unlessAborted())
      expectSame('slice', slice, { entries: [frame('b'), frame('c')], end: 3, closed: false })
    },
    async 'read at the end of an open log waits for the next entry'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      const first = started(reader.read(0, unlessAborted()))
      await append(writer, 'a')
      expectSame('slice', await answered('the first entry', first), { entries: [frame('a')], end: 1, closed: false })
      const next = started(reader.read(1, unlessAborted()))
      await append(writer, 'b')
      expectSame('slice', await answered('the next entry', next), { entries: [frame('b')], end: 2, closed: false })
    },
    async 'read at the end of an open log learns that the log was closed'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      const last = started(reader.read(0, unlessAborted()))
      await writer.close()
      expectSame('slice', await answered('the end of the log', last), { entries: [], end: 0, closed: true })
    },
    async 'read reports a log as closed only with its last entry'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      const texts = Array.from({ length: 40 }, (_, at) => `${at} ${'x'.repeat(10_000)}`)
      for (const text of texts) await append(writer, text)
      await writer.close()
      let end = 0
      for (let closed = false; !closed;) {
        const slice = await reader.read(end, unlessAborted())
        expectSame('texts', textsOf(slice), texts.slice(end, slice.end))
        ;({ end, closed } = slice)
        if (!closed && slice.entries.length === 0)
          throw new Error('The log gave an empty slice of a log with more entries.')
      }
      expectSame('counter of the last entry', end, texts.length)
    },
    async 'text of any script, with NUL, line breaks and quotes, is read back unchanged'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      const texts = [
        'data: "\u0000\r\n"\n\n',
        '',
        '\uFEFF中😀 é e\u0301',
        `'; DROP TABLE runs; -- \\x00 \\u0000`,
        '\u2028\u2029\u0085',
      ]
      for (const text of texts) await append(writer, text)
      await writer.close()
      expectSame('texts', (await readEverything(reader)).map(textOf), texts)
    },
    async 'one entry of a million characters is read back whole'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      const text = '0123456789'.repeat(100_000)
      await append(writer, text)
      await writer.close()
      const [entry] = await readEverything(reader)
      expectSame('length', entry === undefined ? 0 : textOf(entry).length, text.length)
      if (entry === undefined || textOf(entry) !== text) throw new Error('The log changed a long text.')
    },
    async 'entries keep their kind and their control commands'(open) {
      const { log } = await open()
      const entries: LogEntry[] = [
        { kind: 'stream' },
        { kind: 'stream', control: ['cancel', 'say'] },
        { kind: 'response', text: '{"a":1}' },
      ]
      const { writer, reader } = await create(log, 'run')
      for (const entry of entries) await writer.append(entry)
      await writer.close()
      expectSame('entries', await readEverything(reader), entries)
    },
    async 'appends that are not awaited are kept in their order'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      const texts = Array.from({ length: 30 }, (_, at) => `overlapping ${at}`)
      await Promise.all(texts.map(async (text) => append(writer, text)))
      await writer.close()
      expectSame('texts', (await readEverything(reader)).map(textOf), texts)
    },
    async 'appendAll adds all of its entries in their order'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      await append(writer, 'first')
      await appendAll(writer, ['second', 'third', 'fourth'])
      await append(writer, 'fifth')
      await writer.close()
      const texts = (await readEverything(reader)).map(textOf)
      expectSame('texts', texts, ['first', 'second', 'third', 'fourth', 'fifth'])
    },
    async 'many readers follow a run, each from its own place, while it is written'(open) {
      const { log } = await open()
      const { writer } = await create(log, 'run')
      const texts = Array.from({ length: 60 }, (_, at) => `followed ${at}`)
      const reading: Promise<void>[] = []
      for (const [at, text] of texts.entries()) {
        if (at % 10 === 5) reading.push(started(follow(await findReader(log, 'run'), at, texts)))
        await append(writer, text)
      }
      await answered('what the readers follow', Promise.all(reading))
      await writer.close()
    },
    async 'read rejects with the reason of its signal, and other reads wait on'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      await append(writer, 'a')
      const gone = new AbortController()
      const aborted = reader.read(1, gone.signal).catch((error: unknown) => error)
      const stays = started(reader.read(1, unlessAborted()))
      const reason = new Error('The reader is gone.')
      gone.abort(reason)
      if ((await answered('the abort', aborted)) !== reason)
        throw new Error('An aborted read did not reject with the reason of its signal.')
      await append(writer, 'b')
      expectSame('texts', textsOf(await answered('the entry', stays)), ['b'])
    },
    async 'read rejects at once when its signal has aborted before'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      await append(writer, 'a')
      const reason = new Error('The reader was gone before.')
      const read = reader.read(0, AbortSignal.abort(reason)).catch((error: unknown) => error)
      if ((await answered('the abort', read)) !== reason)
        throw new Error('A read with an aborted signal did not reject with its reason.')
    },
    async 'a finished run can be found, begun and read again'(open) {
      const { log } = await open()
      const { writer } = await create(log, 'run')
      await append(writer, 'a')
      await writer.close()
      const begun = await log.begin('run')
      expectSame('state', begun.state, 'exists')
      if (begun.state === 'exists') expectSame('entries', await readEverything(begun.reader), [frame('a')])
      expectSame('entries', await readEverything(await findReader(log, 'run')), [frame('a')])
    },
    async 'restart leaves a run that is open or finished as it is'(open) {
      const { log } = await open()
      const { writer } = await create(log, 'run')
      await append(writer, 'a')
      expectSame('state of an open run', (await log.begin('run', { restart: true })).state, 'exists')
      await writer.close()
      expectSame('state of a finished run', (await log.begin('run', { restart: true })).state, 'exists')
    },
    async 'a finished run expires after its time, and is remembered as expired'(open) {
      const under = await open()
      const { writer, reader } = await create(under.log, 'run')
      await append(writer, 'a')
      await writer.close()
      await pass(under)
      expectSame('state', (await under.log.find('run')).state, 'expired')
      expectSame('state', (await under.log.begin('run')).state, 'expired')
      await expectCode('a read after the expiry', reader.read(1, unlessAborted()), 'log_expired')
    },
    async 'an open run never expires'(open) {
      const under = await open()
      const { writer } = await create(under.log, 'run')
      await append(writer, 'a')
      for (let times = 0; times < 2; times++) await pass(under)
      await append(writer, 'b')
      await writer.close()
      expectSame('entries', await readEverything(await findReader(under.log, 'run')), [frame('a'), frame('b')])
    },
    async 'the oldest finished runs are dropped when all take more than maxBytes'(open) {
      // Two bytes for each character, in UTF-8 and in UTF-16.
      const { log } = await open({ maxBytes: 100 })
      const statesOf = async (...keys: readonly string[]): Promise<readonly string[]> =>
        Promise.all(keys.map(async (key) => (await log.find(key)).state))
      const growing = await create(log, 'open')
      await append(growing.writer, 'é'.repeat(1_000))
      for (const key of ['first', 'second', 'third']) {
        const { writer } = await create(log, key)
        await append(writer, 'é'.repeat(20))
        await writer.close()
      }
      expectSame('states', await statesOf('first', 'second', 'third', 'open'), [
        'expired',
        'exists',
        'exists',
        'exists',
      ])
      // An expired run does not count.
      await log.expire('second')
      const { writer } = await create(log, 'fourth')
      await append(writer, 'é'.repeat(20))
      await writer.close()
      expectSame('states', await statesOf('third', 'fourth'), ['exists', 'exists'])
    },
    async 'expire ends the reads of an open run'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      await append(writer, 'a')
      const waiting = started(reader.read(1, unlessAborted()))
      await log.expire('run')
      await expectCode('a waiting read', waiting, 'log_expired')
      await expectCode('a read', reader.read(0, unlessAborted()), 'log_expired')
    },
    async 'expire refuses what the writer still appends, and its close'(open) {
      const { log } = await open()
      const { writer } = await create(log, 'run')
      await append(writer, 'a')
      await log.expire('run')
      await expectCode('an append', append(writer, 'late'), 'log_expired')
      await writer.close()
      expectSame('state', (await log.find('run')).state, 'expired')
    },
    async 'expire of a finished, an expired or an unknown run is no error'(open) {
      const { log } = await open()
      await log.expire('never')
      const { writer } = await create(log, 'run')
      await writer.close()
      await log.expire('run')
      await log.expire('run')
      expectSame('state', (await log.find('run')).state, 'expired')
      await create(log, 'never')
    },
    async 'restart of an expired run is apart from the run before'(open) {
      const { log } = await open()
      const before = await create(log, 'run')
      await append(before.writer, 'old')
      await log.expire('run')
      const after = await restartRun(log, 'run')
      await append(after.writer, 'new')
      await expectCode('an append of the writer before', append(before.writer, 'late'), 'log_expired')
      await before.writer.discard()
      expectSame('texts', textsOf(await after.reader.read(0, unlessAborted())), ['new'])
      await expectCode('a read of the reader before', before.reader.read(0, unlessAborted()), 'log_expired')
    },
    async 'discard ends the reads and leaves nothing of the run'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      await append(writer, 'half')
      const waiting = started(reader.read(1, unlessAborted()))
      await writer.discard()
      await expectCode('a waiting read', waiting, 'log_expired')
      expectSame('state', (await log.begin('run')).state, 'expired')
      const again = await restartRun(log, 'run')
      await again.writer.close()
      expectSame('entries', await readEverything(again.reader), [])
    },
    async 'discard twice, or a close after it, is no error'(open) {
      const { log } = await open()
      const { writer } = await create(log, 'run')
      await writer.discard()
      await writer.discard()
      await writer.close()
      await expectCode('an append', append(writer, 'late'), 'log_expired')
    },
    async 'discard and a second close change nothing of a closed run'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      await append(writer, 'whole')
      await writer.close()
      await writer.close()
      await writer.discard()
      expectSame('entries', await readEverything(reader), [frame('whole')])
    },
    async 'append to a closed run is refused'(open) {
      const { log } = await open()
      const { writer, reader } = await create(log, 'run')
      await append(writer, 'whole')
      await writer.close()
      await expectCode('an append', append(writer, 'late'), 'log_expired')
      expectSame('entries', await readEverything(reader), [frame('whole')])
    },
    async 'command reaches the handler of the writer, and resolves with its reply'(open) {
      const { log } = await open()
      if (log.command === undefined) return
      const { writer } = await create(log, 'run')
      const received: unknown[] = []
      writer.onCommand?.(async (command) => {
        received.push(command)
        return { result: 'over', ended: 'cancelled' }
      })
      const reply = await answered('the reply', log.command('run', CANCEL))
      expectSame('reply', reply, { state: 'replied', reply: { result: 'over', ended: 'cancelled' } })
      expectSame('commands', received, [CANCEL])
    },
    async 'command reports a run that is unknown, has no handler, or has expired'(open) {
      const { log } = await open()
      if (log.command === undefined) return
      expectSame('reply for an unknown run', await log.command('run', CANCEL), { state: 'unknown' })
      await create(log, 'run')
      expectSame('state without a handler', (await log.command('run', CANCEL)).state, 'unavailable')
      await log.expire('run')
      expectSame('reply for an expired run', await log.command('run', CANCEL), { state: 'expired' })
    },
    async 'command of a closed run gives its log, and no handler receives it'(open) {
      const { log } = await open()
      if (log.command === undefined) return
      const { writer } = await create(log, 'run')
      let received = 0
      writer.onCommand?.(async () => {
        received += 1
        return { result: 'accepted' }
      })
      await append(writer, 'a')
      await writer.close()
      const reply = await answered('the reply', log.command('run', CANCEL))
      expectSame('state', reply.state, 'closed')
      if (reply.state === 'closed') expectSame('entries', await readEverything(reply.reader), [frame('a')])
      expectSame('number of commands received', received, 0)
    },
  }
}

/** Reads what follows a place, until everything has arrived. */
async function follow(reader: LogReader, after: number, texts: readonly string[]): Promise<void> {
  for (let end = after; end < texts.length;) {
    const slice = await reader.read(end, unlessAborted())
    expectSame(`texts after ${end}`, textsOf(slice), texts.slice(end, slice.end))
    end = slice.end
  }
}

function textOf(entry: LogEntry): string {
  return entry.kind === 'stream' ? '' : entry.text
}

async function pass(under: EventLogUnderTest): Promise<void> {
  await (under.pass?.(under.ttlMs) ?? delay(systemClock, under.ttlMs))
}
