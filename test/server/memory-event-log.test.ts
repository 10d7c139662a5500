import { describe, expect, it } from 'vitest'
import type { Begun, EventLog, LogEntry } from '../../src/server/event-log.ts'
import { memoryEventLog } from '../../src/server/memory-event-log.ts'
import { createManualClock, settle } from '../support/manual-clock.ts'

type Created = Extract<Begun, { state: 'created' }>

async function create(log: EventLog, key: string): Promise<Created> {
  const begun = await log.begin(key)
  if (begun.state !== 'created') throw new Error(`expected a new log, got ${begun.state}`)
  return begun
}

const frame = (text: string): LogEntry => ({ kind: 'frame', text })
const never = new AbortController().signal

describe('a log of runs in memory', () => {
  it('lets exactly one of many begin a run', async () => {
    const log = memoryEventLog({ clock: createManualClock() })
    const states = await Promise.all(Array.from({ length: 20 }, async () => (await log.begin('run')).state))
    expect(states.filter((state) => state === 'created')).toHaveLength(1)
    expect(states.filter((state) => state === 'exists')).toHaveLength(19)
  })

  it('reads after a counter, and waits for what is not there yet', async () => {
    const { writer, reader } = await create(memoryEventLog({ clock: createManualClock() }), 'run')
    await writer.append(frame('a'))
    await writer.append(frame('b'))
    expect(await reader.read(0, never)).toEqual({ entries: [frame('a'), frame('b')], end: 2, closed: false })
    const next = reader.read(2, never)
    await writer.append(frame('c'))
    expect(await next).toEqual({ entries: [frame('c')], end: 3, closed: false })
    const last = reader.read(3, never)
    await writer.close()
    expect(await last).toEqual({ entries: [], end: 3, closed: true })
  })

  it('stops waiting when the reader is gone', async () => {
    const { reader } = await create(memoryEventLog({ clock: createManualClock() }), 'run')
    const left = new AbortController()
    const waiting = reader.read(0, left.signal)
    left.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    await expect(reader.read(0, left.signal)).rejects.toThrow('gone')
  })

  it('keeps a finished run for ten minutes and then remembers only that it was', async () => {
    const clock = createManualClock()
    const log = memoryEventLog({ clock })
    const { writer } = await create(log, 'run')
    await writer.append(frame('a'))
    await writer.close()
    await clock.advance(599_999)
    expect((await log.find('run')).state).toBe('exists')
    await clock.advance(1)
    expect((await log.find('run')).state).toBe('expired')
    expect((await log.begin('run')).state).toBe('expired')
    expect((await log.begin('run', { restart: true })).state).toBe('created')
    expect((await log.find('other')).state).toBe('unknown')
  })

  it('never expires a run that is still going, and keeps no timer at all', async () => {
    const clock = createManualClock()
    const log = memoryEventLog({ clock })
    const { writer } = await create(log, 'run')
    await clock.advance(3_600_000)
    expect((await log.find('run')).state).toBe('exists')
    await writer.close()
    expect(clock.pending).toBe(0)
  })

  it('drops the oldest finished runs when they hold too much', async () => {
    const log = memoryEventLog({ clock: createManualClock(), maxBytes: 100 })
    for (const key of ['first', 'second', 'third']) {
      const { writer } = await create(log, key)
      await writer.append(frame('x'.repeat(20)))
      await writer.close()
    }
    const open = await create(log, 'open')
    await open.writer.append(frame('x'.repeat(1_000)))
    expect((await log.find('first')).state).toBe('expired')
    expect((await log.find('second')).state).toBe('exists')
    expect((await log.find('third')).state).toBe('exists')
    expect((await log.find('open')).state).toBe('exists')
  })

  it('remembers only so many expired runs', async () => {
    const log = memoryEventLog({ clock: createManualClock(), maxRemembered: 2 })
    for (const key of ['a', 'b', 'c']) {
      await create(log, key)
      await log.expire(key)
    }
    expect(await Promise.all(['a', 'b', 'c'].map(async (key) => (await log.find(key)).state))).toEqual(['unknown', 'expired', 'expired'])
  })

  it('tells the writer and the readers of a run whose log was thrown away, and keeps a new run apart from it', async () => {
    const log = memoryEventLog({ clock: createManualClock() })
    const before = await create(log, 'run')
    const waiting = before.reader.read(0, never)
    await log.expire('run')
    await expect(waiting).rejects.toMatchObject({ code: 'log_expired' })
    const after = await log.begin('run', { restart: true })
    await expect(before.writer.append(frame('old'))).rejects.toMatchObject({ code: 'log_expired' })
    await before.writer.close()
    if (after.state !== 'created') throw new Error('expected a new log')
    await after.writer.append(frame('new'))
    await settle()
    expect(await after.reader.read(0, never)).toEqual({ entries: [frame('new')], end: 1, closed: false })
  })
})
