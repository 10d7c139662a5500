import { describe, expect, it } from 'vitest'
import { regressions } from './consent/regressions.ts'
import { playAny, runSchedules } from './consent/run-consent-schedules.ts'

const SEED = 20_261_124
const COUNT = 400

describe('what an agent may do only with consent, whatever the network, the processes and the people do', () => {
  it(
    `is done once and as it was allowed, and no prompt stays open, over ${COUNT} schedules`,
    { timeout: 120_000 },
    async () => {
      const { failure, played, met } = await runSchedules({ seed: SEED, count: COUNT })
      expect(failure).toBeUndefined()
      expect(played).toBe(COUNT)
      // A generator that no longer meets something would pass for ever.
      for (const what of MET) expect(met[what] ?? 0, what).toBeGreaterThan(0)
    },
  )

  it('is the same for the same schedule', async () => {
    const [first, second] = [await runSchedules({ seed: 7, count: 20 }), await runSchedules({ seed: 7, count: 20 })]
    expect(second).toEqual(first)
  })
})

describe('a schedule that broke a promise about consent once', () => {
  it.each(regressions)('%s', async (_, schedule) => {
    await expect(playAny(schedule)).resolves.toBeDefined()
  })
})

const MET = `
  allow, edit, refuse, decline, cancel, wrong, send, say, stop, hide, show, close, reload, open
  cut, log-down, block, server-block, kill, set-clock, set-server-clock
  elsewhere allow, elsewhere decline, elsewhere other-digest, elsewhere no-digest, elsewhere other-option, elsewhere again
  elsewhere cancel-run, answer 200, answer 404, answer 409, answer 410, answer 422, answer 503, cancel 200, say 200
  answer accepted, answer too-late, answer invalid, stop cancelled, done with consent
  run finished, run cancelled, run failed, run lost
  logged answered, logged declined, logged cancelled, logged expired, logged withdrawn
  shown answered, shown declined, shown expired, shown withdrawn, shown answered-elsewhere
  wire: cap, wire: cap-frames, wire: ag-ui, wire: arcp, tabs: plain, tabs: stored
  edit, crash, outage, stop-at-publish, stop without a run cancelled, answer unconfirmed, grant accepted, done under a lease, stop left
`
  .split(/[,\n]/)
  .map((what) => what.trim())
  .filter((what) => what !== '')
