import { describe, expect, it } from 'vitest'
import type { LogSlice } from '../../../src/server/event-log/event-log.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { eventLogCases } from '../../../src/testing/event-log-cases.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { create, frame, never } from '../event-log-contract.ts'

describe('a log of runs in memory', () => {
  it.each(eventLogCases)('$name', async ({ run }) =>
    run((limits) => {
      const clock = createManualClock()
      return { log: memoryEventLog({ clock, ...limits }), ttlMs: 600_000, pass: (ms) => clock.advance(ms) }
    }),
  )

  it('keeps a run to the last millisecond, and keeps no timer at all', async () => {
    const clock = createManualClock()
    const log = memoryEventLog({ clock })
    const { writer } = await create(log, 'run')
    await clock.advance(3_600_000)
    await writer.append(frame('a'))
    await writer.close()
    await clock.advance(599_999)
    expect((await log.find('run')).state).toBe('exists')
    expect(clock.pending).toBe(0)
  })

  it('remembers only so many expired runs', async () => {
    const log = memoryEventLog({ clock: createManualClock(), maxRemembered: 2 })
    for (const key of ['a', 'b', 'c']) {
      await create(log, key)
      await log.expire(key)
    }
    expect(await Promise.all(['a', 'b', 'c'].map(async (key) => (await log.find(key)).state))).toEqual([
      'unknown',
      'expired',
      'expired',
    ])
  })

  it('gives those who follow a run one slice, so that its bytes are made once, and keeps none of a finished run', async () => {
    const log = memoryEventLog({ clock: createManualClock() })
    const { writer, reader } = await create(log, 'run')
    const follow = (after: number): Promise<readonly LogSlice[]> =>
      Promise.all(Array.from({ length: 10 }, async () => reader.read(after, never)))
    for (let count = 0; count < 5; count++) {
      const following = follow(count)
      await writer.append(frame(String(count)))
      expect(new Set(await following).size).toBe(1)
    }
    expect(new Set(await follow(0)).size).toBe(1)
    const last = follow(5)
    await writer.close()
    expect(new Set(await last).size).toBe(1)
    expect(new Set(await follow(0)).size).toBe(10)
  })
})
