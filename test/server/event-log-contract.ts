import { expect, it } from 'vitest'
import type { Begun, EventLog, LogEntry } from '../../src/server/event-log/event-log.ts'
import { settle } from '../support/manual-clock.ts'

type Created = Extract<Begun, { state: 'created' }>

export interface LogUnderTest {
  readonly log: EventLog
  /** How long a finished run is kept, in milliseconds. */
  readonly ttlMs: number
  /** Lets time pass. */
  pass(ms: number): Promise<void>
}

export interface LogLimits {
  /** A limit that two finished runs of 20 characters fit into, and three do not. */
  readonly twoRuns?: boolean
}

export async function create(log: EventLog, key: string): Promise<Created> {
  const begun = await log.begin(key)
  if (begun.state !== 'created') throw new Error(`expected a new log, got ${begun.state}`)
  return begun
}

export const frame = (text: string): LogEntry => ({ kind: 'frame', text })
const CANCEL = { name: 'cancel' } as const
export const never = new AbortController().signal

/** What every event log promises, wherever it keeps its runs. */
export function keepsTheContract(open: (limits?: LogLimits) => Promise<LogUnderTest>): void {
  it('lets exactly one of many begin a run', async () => {
    const { log } = await open()
    const states = await Promise.all(Array.from({ length: 20 }, async () => (await log.begin('run')).state))
    expect(states.filter((state) => state === 'created')).toHaveLength(1)
    expect(states.filter((state) => state === 'exists')).toHaveLength(19)
  })

  it('reads after a counter, and waits for what is not there yet', async () => {
    const { log } = await open()
    const { writer, reader } = await create(log, 'run')
    await writer.append(frame('a'))
    await writer.append(frame('b'))
    expect(await reader.read(0, never)).toEqual({ entries: [frame('a'), frame('b')], end: 2, closed: false })
    expect(await reader.read(1, never)).toEqual({ entries: [frame('b')], end: 2, closed: false })
    const next = reader.read(2, never)
    await writer.append(frame('c'))
    expect(await next).toEqual({ entries: [frame('c')], end: 3, closed: false })
    const last = reader.read(3, never)
    await writer.close()
    expect(await last).toEqual({ entries: [], end: 3, closed: true })
    expect(await reader.read(3, never)).toEqual({ entries: [], end: 3, closed: true })
  })

  it('gives every kind of entry back as it was, whatever is written in it', async () => {
    const { log } = await open()
    const { writer, reader } = await create(log, 'run with spaces, {braces} and ü')
    const entries: LogEntry[] = [
      { kind: 'stream' },
      { kind: 'stream', control: ['cancel', 'say'] },
      frame('data: "\u0000\r\n 中😀"\n\n'),
      frame(''),
      { kind: 'response', text: '{"a":1}' },
      frame('x'.repeat(200_000)),
    ]
    for (const entry of entries) await writer.append(entry)
    await writer.close()
    const found = await log.find('run with spaces, {braces} and ü')
    if (found.state !== 'exists') throw new Error('expected to find it')
    for (const each of [reader, found.reader]) expect(await readAll(each)).toEqual(entries)
  })

  it('has many readers, each where it is, who come while it is written', async () => {
    const { log } = await open()
    const { writer, reader } = await create(log, 'run')
    const reading: { readonly from: number; readonly entries: Promise<LogEntry[]> }[] = []
    for (let count = 0; count < 500; count++) {
      if (count % 20 === 0) {
        // Some know the beginning already.
        for (const from of [0, count >> 1, count]) reading.push({ from, entries: readAll(reader, from) })
      }
      await writer.append(frame(String(count)))
    }
    await writer.close()
    for (const { from, entries } of reading) {
      expect((await entries).map((entry) => (entry.kind === 'frame' ? Number(entry.text) : -1))).toEqual(
        Array.from({ length: 500 - from }, (_, count) => from + count),
      )
    }
  })

  it('stops waiting when the reader is gone', async () => {
    const { log } = await open()
    const { writer, reader } = await create(log, 'run')
    const left = new AbortController()
    const waiting = reader.read(0, left.signal)
    left.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    await expect(reader.read(0, left.signal)).rejects.toThrow('gone')
    const stays = reader.read(0, never)
    await writer.append(frame('a'))
    expect((await stays).entries).toEqual([frame('a')])
  })

  it('keeps a finished run for its time and then remembers only that it was', async () => {
    const { log, ttlMs, pass } = await open()
    const { writer, reader } = await create(log, 'run')
    await writer.append(frame('a'))
    await writer.close()
    expect((await log.find('run')).state).toBe('exists')
    expect((await log.begin('run')).state).toBe('exists')
    await pass(ttlMs)
    expect((await log.find('run')).state).toBe('expired')
    expect((await log.begin('run')).state).toBe('expired')
    await expect(reader.read(1, never)).rejects.toMatchObject({ code: 'log_expired' })
    expect((await log.begin('run', { restart: true })).state).toBe('created')
    expect((await log.find('other')).state).toBe('unknown')
  })

  it('never expires a run that is still going', async () => {
    const { log, ttlMs, pass } = await open()
    const { writer } = await create(log, 'run')
    await pass(3 * ttlMs)
    expect((await log.find('run')).state).toBe('exists')
    await writer.append(frame('still here'))
    await writer.close()
  })

  it('drops the oldest finished runs when they hold too much', async () => {
    const { log } = await open({ twoRuns: true })
    for (const key of ['first', 'second', 'third']) {
      const { writer } = await create(log, key)
      await writer.append(frame('x'.repeat(20)))
      await writer.close()
    }
    const going = await create(log, 'open')
    await going.writer.append(frame('x'.repeat(1_000)))
    const states = await Promise.all(
      ['first', 'second', 'third', 'open'].map(async (key) => (await log.find(key)).state),
    )
    expect(states).toEqual(['expired', 'exists', 'exists', 'exists'])
    await log.expire('second')
    const { writer } = await create(log, 'fourth')
    await writer.append(frame('x'.repeat(20)))
    await writer.close()
    expect((await log.find('third')).state).toBe('exists')
  })

  it('tells the writer and the readers of a run whose log was thrown away, and keeps a new run apart from it', async () => {
    const { log } = await open()
    const before = await create(log, 'run')
    await before.writer.append(frame('a'))
    const waiting = before.reader.read(1, never)
    await settle()
    await log.expire('run')
    await expect(waiting).rejects.toMatchObject({ code: 'log_expired' })
    const after = await log.begin('run', { restart: true })
    await expect(before.writer.append(frame('old'))).rejects.toMatchObject({ code: 'log_expired' })
    await before.writer.close()
    if (after.state !== 'created') throw new Error('expected a new log')
    await after.writer.append(frame('new'))
    await settle()
    expect(await after.reader.read(0, never)).toEqual({ entries: [frame('new')], end: 1, closed: false })
    await expect(before.reader.read(0, never)).rejects.toMatchObject({ code: 'log_expired' })
  })

  it('throws away what its writer discards, tells the readers, and frees the key for a restart', async () => {
    const { log } = await open()
    const { writer, reader } = await create(log, 'run')
    await writer.append(frame('half'))
    const waiting = reader.read(1, never).catch((error: unknown) => error)
    await settle()
    await writer.discard()
    expect(await waiting).toMatchObject({ code: 'log_expired' })
    await expect(reader.read(0, never)).rejects.toMatchObject({ code: 'log_expired' })
    await expect(writer.append(frame('late'))).rejects.toMatchObject({ code: 'log_expired' })
    await writer.close()
    await writer.discard()
    expect((await log.begin('run')).state).toBe('expired')
    const again = await log.begin('run', { restart: true })
    if (again.state !== 'created') throw new Error('expected a new log')
    await again.writer.append(frame('whole'))
    // Neither an earlier run nor one that was closed can be discarded.
    await writer.discard()
    await again.writer.close()
    await again.writer.discard()
    expect(await readAll(again.reader)).toEqual([frame('whole')])
  })

  it('carries commands to the writer of an open run, and says where there is none', async () => {
    const { log } = await open()
    const sent: unknown[] = []
    expect(await log.command?.('run', CANCEL)).toEqual({ state: 'unknown' })
    const { writer } = await create(log, 'run')
    expect((await log.command?.('run', CANCEL))?.state).toBe('unavailable')
    writer.onCommand?.(async (command) => {
      sent.push(command)
      return { result: 'over', ended: 'finished' }
    })
    const reply = { state: 'replied', reply: { result: 'over', ended: 'finished' } }
    expect(await log.command?.('run', CANCEL)).toEqual(reply)
    expect(sent).toEqual([CANCEL])
    await writer.append(frame('a'))
    await writer.close()
    const closed = await log.command?.('run', CANCEL)
    if (closed?.state !== 'closed') throw new Error(`expected a closed log, got ${closed?.state}`)
    expect(await readAll(closed.reader)).toEqual([frame('a')])
    await log.expire('run')
    expect(await log.command?.('run', CANCEL)).toEqual({ state: 'expired' })
    const again = await log.begin('run', { restart: true })
    if (again.state !== 'created') throw new Error('expected a new log')
    expect((await log.command?.('run', CANCEL))?.state).toBe('unavailable')
    await again.writer.discard()
    expect(await log.command?.('run', CANCEL)).toEqual({ state: 'expired' })
    expect(sent).toHaveLength(1)
  })

  it('does not mind what is expired or closed twice, or was never there', async () => {
    const { log } = await open()
    await log.expire('never')
    const { writer } = await create(log, 'run')
    await writer.close()
    await writer.close()
    await expect(writer.append(frame('late'))).rejects.toMatchObject({ code: 'log_expired' })
    await log.expire('run')
    await log.expire('run')
    expect((await log.find('run')).state).toBe('expired')
  })
}

export async function readAll(reader: Created['reader'], from = 0): Promise<LogEntry[]> {
  const all: LogEntry[] = []
  const { signal } = new AbortController()
  for (let position = from; ;) {
    const slice = await reader.read(position, signal)
    all.push(...slice.entries)
    position = slice.end
    if (slice.closed) return all
  }
}
