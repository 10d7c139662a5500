import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { queryOf } from '../../playground/server/query-of.ts'
import type { ServiceRequest } from '../../src/protocols/cap/schema/request.ts'
import type { AgentRun } from '../../src/server/run/agent.ts'
import { launchChromium } from './chromium.ts'
import type { StorageServer } from './serve-storage.ts'
import { serveAgent } from './serve-storage.ts'

declare global {
  interface Window {
    /** Tells the test of a click. */
    pressed(): void
  }
}

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
/** Inputs of the tool, in the order it ran. */
const sent: unknown[] = []

beforeAll(async () => {
  async function* send(run: AgentRun): AsyncGenerator<string> {
    yield 'I have written a mail. '
    const answer = await run.ask({
      kind: 'approval',
      message: 'May I send the mail?',
      subject: { name: 'send_mail', input: { to: 'Ann' } },
    })
    if (answer.type === 'allowed') sent.push(answer.input)
    yield answer.type === 'allowed' ? 'It is sent.' : 'I keep it.'
  }
  async function* count(run: AgentRun): AsyncGenerator<string> {
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
  const agent = (request: ServiceRequest, run: AgentRun): AsyncGenerator<string> =>
    queryOf(request) === 'Count' ? count(run) : send(run)
  ;[server, browser] = await Promise.all([serveAgent('test/e2e/return-page.tsx', agent), launchChromium()])
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

/** Tabs of one browser with the same conversation; without locks each of them has its own connection. */
async function openTabs(count: number, { locks = true } = {}): Promise<Page[]> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  if (!locks) await context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
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

async function ask(tab: Page | undefined, question: string): Promise<void> {
  await tab?.getByRole('textbox', { name: 'Message' }).fill(question)
  await tab?.keyboard.press('Enter')
}

describe('Stop in mid-answer', { timeout: 60_000 }, () => {
  it.each([0, 1])('in tab %i ends the work of the agent within a second, and both tabs show that', async (stopping) => {
    const tabs = await openTabs(2)
    await tabs[0]?.getByRole('textbox', { name: 'Message' }).fill('Count')
    await tabs[0]?.keyboard.press('Enter')
    for (const tab of tabs) await tab.getByText('20 ').waitFor()
    const work = works.at(-1)
    // Counted from the click in the page: how long the driver of the browser takes to press says nothing.
    let before = 0
    await tabs[stopping]?.exposeFunction('pressed', () => (before = work?.steps ?? 0))
    await tabs[stopping]?.evaluate(() => addEventListener('click', () => window.pressed(), { capture: true }))
    await tabs[stopping]?.getByRole('button', { name: 'Stop' }).click()
    // Of one whose agent may still be working there are other words.
    for (const tab of tabs) await tab.getByText('Response stopped', { exact: true }).waitFor()
    expect(work?.run.signal.aborted).toBe(true)
    expect(before).toBeGreaterThan(0)
    expect((work?.stepsAtCancel ?? Infinity) - before).toBeLessThan(STEPS_PER_SECOND)
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined)))
    for (const tab of tabs) await tab.evaluate(frame)
    expect(work?.steps).toBe(work?.stepsAtCancel)
  })
})

describe('an approval', { timeout: 60_000 }, () => {
  it.each([
    { locks: true, tells: 'You allowed send_mail once' },
    { locks: false, tells: 'Answered elsewhere' },
  ])(
    'that is answered in a second tab after a reload is done once, and gone from the first (locks: $locks)',
    async ({ locks, tells }) => {
      sent.length = 0
      const [first] = await openTabs(1, { locks })
      await ask(first, 'Write to Ann')
      const card = (tab: Page | undefined) => tab?.locator('.cs-prompt', { hasText: 'May I send the mail?' })
      await card(first)?.waitFor()
      await first?.reload()
      await card(first)?.waitFor()
      const second = await first?.context().newPage()
      await second?.goto(first?.url() ?? '')
      await second?.locator('.cs-prompt[data-ready]').getByRole('button', { name: 'Allow once' }).click()
      for (const tab of [first, second]) {
        await tab?.getByText('It is sent.').waitFor()
        await card(tab)?.waitFor({ state: 'detached' })
      }
      await first?.locator('.cs-message').getByText(tells).waitFor()
      await second?.locator('.cs-message').getByText('You allowed send_mail once').waitFor()
      expect(sent).toEqual([{ to: 'Ann' }])
      expect([...server.runs.values()].every((runs) => runs === 1)).toBe(true)
    },
  )

  it('that is denied is not done', async () => {
    sent.length = 0
    const [tab] = await openTabs(1)
    await ask(tab, 'Write to Ann')
    await tab?.locator('.cs-prompt[data-ready]').getByRole('button', { name: 'Deny' }).click()
    await tab?.getByText('I keep it.').waitFor()
    expect(sent).toEqual([])
  })
})
