import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { AgentRun } from '../../src/server/run/agent.ts'
import { launchChromium } from './chromium.ts'
import type { StorageServer } from './serve-storage.ts'
import { serveAgent } from './serve-storage.ts'

const STEP_MS = 10
const STEPS_PER_SECOND = 1_000 / STEP_MS

/** What the agent has done, as it saw it itself. */
interface Work {
  readonly run: AgentRun
  steps: number
  /** Steps that were done when the run was cancelled. */
  stepsAtCancel: number | undefined
}

let server: StorageServer
let browser: Browser
const works: Work[] = []

beforeAll(async () => {
  async function* count(_request: unknown, run: AgentRun): AsyncGenerator<string> {
    const work: Work = { run, steps: 0, stepsAtCancel: undefined }
    works.push(work)
    run.signal.addEventListener('abort', () => {
      work.stepsAtCancel = work.steps
    })
    for (;;) {
      work.steps += 1
      yield `${work.steps} `
      await run.sleep(STEP_MS)
    }
  }
  ;[server, browser] = await Promise.all([serveAgent('test/e2e/return-page.tsx', count), launchChromium()])
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

/** Tabs of one browser with the same conversation. */
async function openTabs(count: number): Promise<Page[]> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  const address = `${server.origin}/?conversation=${crypto.randomUUID()}`
  const tabs: Page[] = []
  while (tabs.length < count) {
    const tab = await context.newPage()
    await tab.goto(address)
    await tab.getByRole('textbox', { name: 'Message' }).waitFor()
    tabs.push(tab)
  }
  return tabs
}

describe('Stop in mid-answer', { timeout: 60_000 }, () => {
  it.each([0, 1])(
    'in tab %i ends the work of the agent within a second of its own time, and both tabs say so',
    async (stopping) => {
      const tabs = await openTabs(2)
      await tabs[0]?.getByRole('textbox', { name: 'Message' }).fill('Count')
      await tabs[0]?.keyboard.press('Enter')
      for (const tab of tabs) await tab.getByText('20 ').waitFor()
      const work = works.at(-1)
      const before = work?.steps ?? 0
      await tabs[stopping]?.getByRole('button', { name: 'Stop' }).click()
      // Of one whose agent may still be working there are other words.
      for (const tab of tabs) await tab.getByText('Response stopped', { exact: true }).waitFor()
      expect(work?.run.signal.aborted).toBe(true)
      expect((work?.stepsAtCancel ?? Infinity) - before).toBeLessThan(STEPS_PER_SECOND)
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)))
      for (const tab of tabs) await tab.evaluate(frame)
      expect(work?.steps).toBe(work?.stepsAtCancel)
    },
  )
})
