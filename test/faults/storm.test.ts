import { describe, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import { simulateStorm } from './storm.ts'

const CLIENTS = 2000

describe('two thousand clients that are cut in one moment', () => {
  it('come back thinly: at most one in twenty in any 100 ms', { timeout: 60_000 }, async () => {
    const report = await simulateStorm({ clients: CLIENTS, downMs: 0, retry: backoff(), seed: 7919 })
    expect(report.peakShare).toBeLessThanOrEqual(0.05)
    expect(report).toMatchObject({ worstMinute: 1, gaveUp: 0 })
    expect(report.p99).toBeLessThanOrEqual(3000)
  })

  it('would come as a storm with the half second of RFC 004', { timeout: 60_000 }, async () => {
    const report = await simulateStorm({ clients: CLIENTS, downMs: 0, retry: backoff({ baseMs: 500 }), seed: 7919 })
    expect(report.peakShare).toBeGreaterThan(0.15)
  })
})
