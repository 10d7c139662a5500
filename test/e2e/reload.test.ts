import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from './chromium.ts'
import type { StorageServer } from './serve-storage.ts'
import { serveStorage, wholeAnswer } from './serve-storage.ts'

const WORDS = 80
const EVERY_MS = 4
const POINTS = 50
/** As many as may have a connection each. */
const AT_ONCE = 4
const SEED = 20260301

let server: StorageServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([serveStorage(WORDS, (_word, run) => run.sleep(EVERY_MS)), launchChromium()])
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

/** Numbers from 0 up to 1, the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

interface Outcome {
  readonly text: string
  /** Characters shown when the page was left. */
  readonly left: number
}

async function reloadAt(page: Page, characters: number): Promise<Outcome> {
  await page.goto(`${server.origin}/?conversation=${crypto.randomUUID()}`)
  const left = await page.evaluate(async (least) => {
    window.chat.ask('Count')
    while (window.chat.text().length < least) await new Promise((resolve) => setTimeout(resolve, 1))
    return window.chat.text().length
  }, characters)
  await page.reload()
  await page.waitForFunction(() => window.chat.statuses() === 'sent complete', undefined, { polling: 20 })
  return { left, text: await page.evaluate(() => window.chat.text()) }
}

describe('a page that is reloaded in the middle of an answer', () => {
  it(
    `has the whole of it, letter by letter, from one run, at ${POINTS} random points`,
    { timeout: 180_000 },
    async () => {
      const context = await browser.newContext()
      const whole = wholeAnswer(WORDS)
      const random = randomOf(SEED)
      const points = Array.from({ length: POINTS }, () => Math.floor(random() * whole.length * 0.9))
      const ahead = [...points]
      const outcomes: Outcome[] = []
      const reader = async (): Promise<void> => {
        const page = await context.newPage()
        for (let point = ahead.shift(); point !== undefined; point = ahead.shift())
          outcomes.push(await reloadAt(page, point))
      }
      await Promise.all(Array.from({ length: AT_ONCE }, reader))
      expect(outcomes.map(({ text }) => text)).toEqual(points.map(() => whole))
      // It was in the middle that they were left.
      expect(outcomes.filter(({ left }) => left < whole.length).length).toBeGreaterThan(POINTS * 0.8)
      expect(server.runs.size).toBe(POINTS)
      expect([...server.runs.values()].every((runs) => runs === 1)).toBe(true)
      await context.close()
    },
  )
})
