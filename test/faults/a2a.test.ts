import { describe, expect, it } from 'vitest'
import { playA2A } from './a2a/play-a2a.ts'
import { regressions } from './a2a/regressions.ts'
import { runSchedules } from './a2a/run-a2a-schedules.ts'

const SEED = 20_261_125
/** `npm run test:a2a` plays 20,000. */
const COUNT = 300

describe('an agent of A2A, whatever it, its connections and the page do', () => {
  it(`is shown as it is, is sent each message once, and asks nothing twice, over ${COUNT} schedules`, async () => {
    const { failure, played, met } = await runSchedules({ seed: SEED, count: COUNT })
    expect(failure).toBeUndefined()
    expect(played).toBe(COUNT)
    // A generator that no longer meets something would pass for ever.
    for (const what of MET) expect(met[what] ?? 0, what).toBeGreaterThan(0)
  }, 120_000)
})

describe('a schedule of A2A that broke a promise once', () => {
  it.each(regressions)('%s', async (_, schedule) => {
    await expect(playA2A(schedule)).resolves.toBeDefined()
  })
})

const MET = `
  append, replace, working, sign-in, noise, cut, mute, reload, cut-after-snapshot, listen-again, wait, asked
  post lost, post answer-lost, delivery unknown
  end COMPLETED, end CANCELED, end FAILED, end REJECTED, end INPUT_REQUIRED
`
  .split(/[,\n]/)
  .map((what) => what.trim())
  .filter((what) => what !== '')
