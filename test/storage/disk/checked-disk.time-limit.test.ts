import { describe, expect, it } from 'vitest'
import { withTimeLimit } from '../../../src/storage/disk/checked-disk.ts'
import { createManualClock, settle } from '../../support/manual-clock.ts'

describe('a time limit', () => {
  it('rejects when it has ended, hands on what comes later, and leaves no timer', async () => {
    const clock = createManualClock()
    const late: string[] = []
    let give = (_value: string): void => {}
    const limited = withTimeLimit(new Promise<string>((resolve) => (give = resolve)), {
      clock,
      ms: 1000,
      what: 'The answer',
      onLate: (value) => late.push(value),
    })
    const outcome = limited.catch((error: unknown) => error)
    await clock.advance(1000)
    expect(await outcome).toMatchObject({
      name: 'TimeoutError',
      message: 'The answer took longer than 1 s, so it counts as failed.',
    })
    expect(clock.pending).toBe(0)
    give('here')
    await settle()
    expect(late).toEqual(['here'])
  })

  it.each([0, 999])('gives what comes in time, after %i ms', async (ms) => {
    const clock = createManualClock()
    let give = (_value: string): void => {}
    const limited = withTimeLimit(new Promise<string>((resolve) => (give = resolve)), {
      clock,
      ms: 1000,
      what: 'The answer',
    })
    await clock.advance(ms)
    give('here')
    expect(await limited).toBe('here')
  })

  it('is not over when a frozen page wakes up, whose timer is due before the answer is processed', async () => {
    const due: (() => void)[] = []
    const clock = {
      ...createManualClock(),
      after: (_ms: number, callback: () => void) => (due.push(callback), () => {}),
    }
    let give = (_value: string): void => {}
    const limited = withTimeLimit(new Promise<string>((resolve) => (give = resolve)), {
      clock,
      ms: 1000,
      what: 'The answer',
    })
    for (const callback of due.splice(0)) callback()
    give('here')
    expect(await limited).toBe('here')
  })
})
