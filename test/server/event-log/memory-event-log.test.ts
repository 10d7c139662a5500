import { describe, expect, it } from 'vitest'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { create, frame, keepsTheContract } from '../event-log-contract.ts'

describe('a log of runs in memory', () => {
  keepsTheContract(async ({ twoRuns } = {}) => {
    const clock = createManualClock()
    return { log: memoryEventLog({ clock, ...(twoRuns && { maxBytes: 100 }) }), ttlMs: 600_000, pass: (ms) => clock.advance(ms) }
  })

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
    expect(await Promise.all(['a', 'b', 'c'].map(async (key) => (await log.find(key)).state))).toEqual(['unknown', 'expired', 'expired'])
  })
})
