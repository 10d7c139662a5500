import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { BenchPage } from './bench-page.ts'
import { logText } from './log-text.ts'
import type { Bench } from './open-bench.ts'
import { openBench } from './open-bench.ts'

const TABS = 8
/** Four of the browser's six connections; see base/connection-slots.ts. */
const LIVE_LINES = 4
const CUTS = 20
const CUT_BYTES = 7001
const WAIT_LIMIT_MS = 150_000

let bench: Bench

beforeAll(async () => {
  // Long enough for eight tabs to be opened and looked at.
  bench = await openBench({ deltaMs: 30, jitterMs: 10, stepMs: 25, random: () => Math.random() })
})

afterAll(() => bench?.close())

describe('many tabs over one HTTP/1.1 server', () => {
  it(
    'stream in four of eight, say so in the others, and Send and Stop never hang',
    async () => {
      // A separate context would have its own connections: these share one.
      const tabs: BenchPage[] = []
      // Whatever comes of it: connections that stay open would be cut by the next test.
      onTestFinished(async () => {
        await Promise.all(tabs.map((tab) => tab.close()))
      })
      while (tabs.length < TABS) tabs.push(await bench.open())
      for (const tab of tabs) await tab.choose('Long answer')
      const queued = tabs.map((tab) =>
        tab.page.locator('.cs-status-row-words', {
          hasText: 'Waiting: other tabs are using all available connections.',
        }),
      )
      const waiting = async (): Promise<number> =>
        (await Promise.all(queued.map((note) => note.isVisible()))).filter(Boolean).length
      await expect.poll(waiting).toBe(TABS - LIVE_LINES)
      expect((await bench.command({ action: 'clear' })).live).toBe(LIVE_LINES)

      const isWaiting = await Promise.all(queued.map((note) => note.isVisible()))
      const patient = tabs[isWaiting.indexOf(true)]
      const live = tabs[isWaiting.indexOf(false)]
      await patient?.press('Stop')
      await expect.poll(waiting).toBe(TABS - LIVE_LINES - 1)
      await live?.press('Stop')
      await live?.ends('stopped')
      // The place goes to one that waited.
      await expect.poll(waiting).toBe(TABS - LIVE_LINES - 2)

      await live?.ask('And now?')
      await expect.poll(waiting).toBe(TABS - LIVE_LINES - 1)
      await live?.press('Stop')
      await expect.poll(waiting).toBe(TABS - LIVE_LINES - 2)
      for (const tab of tabs) await tab.close()
      await expect.poll(async () => (await bench.command({ action: 'clear' })).live).toBe(0)
      for (const tab of tabs) expect(tab.problems).toEqual([])
    },
    WAIT_LIMIT_MS,
  )
})

describe('a long answer that is cut twenty times while the page is hidden and shown', () => {
  it(
    'is whole in the end, from one run under one request id',
    async () => {
      const page = await (await bench.browser.newContext({ reducedMotion: 'reduce' })).newPage()
      // The page's time is ours, so that no pause between attempts has to be waited for.
      await page.clock.install()
      const user = new BenchPage(page)
      await user.visit(`${bench.origin}/playground/index.html`)
      // Virtual minutes pass while the real socket works: silence must not be what ends a connection here.
      await user.set('Timeout (seconds)', '600')
      await user.set('Max retries', '20')
      // Each connection is cut further on than the one before, wherever that falls in a packet.
      await bench.command({ action: 'cut', afterBytes: CUT_BYTES, times: CUTS })
      await user.choose('Long answer')
      await expect.poll(() => user.posts.length).toBe(1)
      const requestId = await user.requestId()
      const drops = async (): Promise<number> =>
        (await bench.run(requestId)).attempts.filter(({ ending }) => ending === 'dropped').length

      let visible = true
      const watch = async (): Promise<number> => {
        visible = !visible
        await turn(user, visible)
        await page.clock.runFor(1000)
        const shown = await user.text()
        const { log = '' } = await bench.run(requestId)
        expect(logText(log).startsWith(shown)).toBe(true)
        return user.answers('complete').count()
      }
      await expect.poll(watch, { timeout: 120_000 }).toBe(1)
      expect(await drops()).toBe(CUTS)
      const run = await bench.run(requestId)
      expect(await user.text()).toBe(logText(run.log ?? ''))
      expect(run.agentRuns).toBe(1)
      expect(await user.requestIds()).toEqual([requestId])
      expect(user.problems).toEqual([])
    },
    WAIT_LIMIT_MS,
  )
})

/** Hides or shows the page as far as its scripts can tell; a headless browser shows every page. */
async function turn({ page }: BenchPage, visible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    },
    visible ? 'visible' : 'hidden',
  )
}
