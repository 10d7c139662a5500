import { describe, expect, it } from 'vitest'
import { playArcp } from './arcp/play-arcp.ts'
import { regressions } from './arcp/regressions.ts'
import { runSchedules } from './arcp/run-arcp-schedules.ts'

const SEED = 20_261_125
/** `npm run test:arcp` plays 20,000. */
const COUNT = 200

describe('jobs on one session of ARCP, whatever the runtime, its connections and the page do', () => {
  it(
    `show a prefix of the truth and all of it in the end, are invoked and answered once, over ${COUNT} schedules`,
    { timeout: 120_000 },
    async () => {
      const { failure, played, met } = await runSchedules({ seed: SEED, count: COUNT })
      expect(failure).toBeUndefined()
      expect(played).toBe(COUNT)
      // A generator that no longer meets something would pass for ever.
      for (const what of MET) expect(met[what] ?? 0, what).toBeGreaterThan(0)
    },
  )
})

describe('a schedule of ARCP that broke a promise once', () => {
  it.each(regressions)('%s', async (_, schedule) => {
    await expect(playArcp(schedule)).resolves.toBeDefined()
  })
})

const MET = `
  say, ask, permit, answer, end, fail, cut, mute, double, reorder, evict, leave, resume, stop, reload, wait
  answer accepted, answer invalid, answer too-late
  ending: finished, ending: stopped, ending: failed agent_error
`
  .split(/[,\n]/)
  .map((what) => what.trim())
  .filter((what) => what !== '')
