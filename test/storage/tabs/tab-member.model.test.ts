import { describe, expect, it } from 'vitest'
import { playTabs } from '../model/play-tabs.ts'
import { regressions } from '../model/regressions.ts'
import { runSchedules } from '../model/run-tab-schedules.ts'

const SEED = 20_261_122
const COUNT = 400

describe('a conversation in up to four tabs, whatever they, the browser and the disk do', () => {
  it(
    `loses no message, asks the agent once, keeps every answer and does nothing without consent, over ${COUNT} schedules`,
    { timeout: 120_000 },
    async () => {
      const { failure, played, met } = await runSchedules({ seed: SEED, count: COUNT })
      expect(failure).toBeUndefined()
      expect(played).toBe(COUNT)
      // A generator that no longer meets something would pass for ever.
      for (const what of WHAT_HAPPENS) expect(met[what] ?? 0, what).toBeGreaterThan(0)
    },
  )
})

describe('a schedule of tabs that broke a promise once', () => {
  it.each(regressions)('%s', async (_, schedule) => {
    await expect(playTabs(schedule)).resolves.toBeDefined()
  })
})

const WHAT_HAPPENS = [
  'open',
  'cut',
  'send',
  'queue',
  'stop',
  'hide',
  'show',
  'close',
  'crash',
  'sign-out',
  'remove',
  'block',
  'disk',
  'message settled',
  'message refused',
  'message pending',
  'message gone with its page',
  'allow',
  'refuse',
  'decline',
  'done with consent',
  'answer accepted',
  'answer too-late',
  'prompt answered',
  'prompt declined',
  'prompt expired',
  'prompt withdrawn',
  'prompt answered-elsewhere',
]
