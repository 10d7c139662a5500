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

const DEFAULTS = `The waits of backoff() without options are the default of every client and of the proxy. If you meant to change them, follow \
"How do I add a retry policy?" in CONTRIBUTING.md: they keep the bound of docs/decisions/008-first-backoff-up-to-three-seconds.md, which \
npx vitest run --project slow test/faults/storm.test.ts checks, and the guides state them, which test/docs/backoff.test.ts checks. Then change the figures here.`
const MINIMUM = `A server that sends Retry-After asks for a minimum: the wait is what it asks for, an hour at most, and the jitter on top of it, \
so that the clients it sends away do not all come back in the same moment. Mend delayMs in src/base/backoff.ts.`
const OPTIONS = `An option of backoff() does not do what its comment in src/base/backoff.ts says, which apps rely on. Mend backoff, not the figures here.`
const CLAMP = `A wait comes from a header of a server, so it may be anything: clampWait in src/base/backoff.ts makes it 0 up to an hour \
(3,600,000 ms), and 0 where it is no number. Without that a timer fires immediately, or never.`

describe('exponential backoff with full jitter', () => {
  const { delayMs, maxAttempts } = backoff()

  it('waits anything from nothing to a ceiling that doubles from 3 s up to 30 s', () => {
    expect(
      [1, 2, 3, 4, 5, 6].map((attempt) => delayMs(attempt, error(), 1)),
      DEFAULTS,
    ).toEqual([3000, 6000, 12_000, 24_000, 30_000, 30_000])
    expect(
      [1, 4].map((attempt) => delayMs(attempt, error(), 0)),
      DEFAULTS,
    ).toEqual([0, 0])
    expect(delayMs(1, error(), 0.5), DEFAULTS).toBe(1500)
    expect(maxAttempts, DEFAULTS).toBe(3)
  })

  it('adds the jitter to the wait that the server asked for, which counts for an hour at most', () => {
    const own = backoff({ baseMs: 3000 })
    expect(own.delayMs(1, error(20_000), 0), MINIMUM).toBe(20_000)
    expect(own.delayMs(1, error(20_000), 0.5), MINIMUM).toBe(21_500)
    expect(own.delayMs(1, error(9e9), 0), MINIMUM).toBe(3_600_000)
  })

  it('takes another base, cap and number of attempts', () => {
    const own = backoff({ baseMs: 100, capMs: 150, maxAttempts: 7 })
    expect(
      [1, 2, 3].map((attempt) => own.delayMs(attempt, error(), 1)),
      OPTIONS,
    ).toEqual([100, 150, 150])
    expect(own.maxAttempts, OPTIONS).toBe(7)
  })
})

it.each([
  [Number.NaN, 0],
  [-5, 0],
  [12, 12],
  [Infinity, 3_600_000],
])('a wait of %s ms counts as %s ms', (ms, counted) => {
  expect(clampWait(ms), CLAMP).toBe(counted)
})
