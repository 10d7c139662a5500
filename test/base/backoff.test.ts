import { describe, expect, it } from 'vitest'
import { AgentError } from '../../src/base/agent-error.ts'
import { backoff, clampWait } from '../../src/base/backoff.ts'

const error = (retryAfterMs?: number): AgentError =>
  new AgentError({
    kind: 'connection',
    code: 'network_error',
    severity: 'TRANSIENT',
    message: 'The connection broke.',
    retryAfterMs,
  })

describe('exponential backoff with full jitter', () => {
  const { delayMs, maxAttempts } = backoff()

  it('waits anything from nothing to a ceiling that doubles from 3 s up to 30 s', () => {
    expect([1, 2, 3, 4, 5, 6].map((attempt) => delayMs(attempt, error(), 1))).toEqual([
      3000, 6000, 12_000, 24_000, 30_000, 30_000,
    ])
    expect([1, 4].map((attempt) => delayMs(attempt, error(), 0))).toEqual([0, 0])
    expect(delayMs(1, error(), 0.5)).toBe(1500)
    expect(maxAttempts).toBe(3)
  })

  it('adds the jitter to the wait that the server asked for, which counts for an hour at most', () => {
    expect(delayMs(1, error(20_000), 0)).toBe(20_000)
    expect(delayMs(1, error(20_000), 0.5)).toBe(21_500)
    expect(delayMs(1, error(9e9), 0)).toBe(3_600_000)
  })

  it('takes another base, cap and number of attempts', () => {
    const own = backoff({ baseMs: 100, capMs: 150, maxAttempts: 7 })
    expect([1, 2, 3].map((attempt) => own.delayMs(attempt, error(), 1))).toEqual([100, 150, 150])
    expect(own.maxAttempts).toBe(7)
  })
})

it.each([
  [Number.NaN, 0],
  [-5, 0],
  [12, 12],
  [Infinity, 3_600_000],
])('a wait of %s ms counts as %s ms', (ms, counted) => {
  expect(clampWait(ms)).toBe(counted)
})
