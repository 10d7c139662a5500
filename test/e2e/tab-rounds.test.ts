import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from './chromium.ts'
import { playTabRounds } from './tab-rounds.ts'

const SEED = 1
const COUNT = 8

let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})

afterAll(() => browser?.close())

describe('a conversation over several tabs of a real browser', () => {
  it(
    `loses, doubles and erases nothing in ${COUNT} rounds of busy, closed, reloaded and signed-out tabs`,
    { timeout: 300_000 },
    async () => {
      const { failures, played, met } = await playTabRounds({ browser, seed: SEED, count: COUNT, atOnce: COUNT })
      expect(failures).toEqual([])
      expect(played).toBe(COUNT)
      // Rounds that no longer meet something would pass for ever.
      for (const what of WHAT_HAPPENS) expect(met[what] ?? 0, what).toBeGreaterThan(0)
    },
  )
})

const WHAT_HAPPENS = [
  'open',
  'send',
  'queue',
  'block',
  'stop',
  'close',
  'reload',
  'sign-out',
  'message settled',
  'message refused',
  'message stored',
  'message of an earlier sign-in',
  'answer complete',
]
