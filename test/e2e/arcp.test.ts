import type { BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ARCP_CONTROL, ARCP_TOKEN } from '../../playground/server/arcp/arcp-scenarios.ts'
import type { Bench } from './open-bench.ts'
import { openBench } from './open-bench.ts'

const FIRST_VISIT_MS = 50_000
/** What a card of a prompt takes no answer in, after it appears. */
const ARMED = '.cs-prompt[data-ready]'

let bench: Bench
let context: BrowserContext
const said: string[] = []

beforeAll(async () => {
  bench = await openBench()
})

afterAll(() => bench?.close())
afterEach(() => context?.close())

async function open(scenario: string, page?: Page): Promise<Page> {
  if (page === undefined) context = await bench.browser.newContext({ reducedMotion: 'reduce' })
  const opened = page ?? (await context.newPage())
  opened.setDefaultTimeout(20_000)
  opened.on('console', (message) => said.push(message.text()))
  await opened.goto(`${bench.origin}/playground/index.html#${scenario}`, { timeout: FIRST_VISIT_MS })
  return opened
}

async function cut(refuseMs = 0): Promise<void> {
  await fetch(`${bench.origin}${ARCP_CONTROL}?refuseMs=${refuseMs}`, { method: 'POST' })
}

async function sockets(): Promise<number> {
  const { sockets: open } = (await (await fetch(`${bench.origin}${ARCP_CONTROL}`)).json()) as { sockets: number }
  return open
}

/** Everything that the page keeps and shows. */
async function keptBy(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const parts = [document.documentElement.outerHTML, JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('It does not open.')))
      })
      for (const store of database.objectStoreNames)
        parts.push(
          await new Promise<string>((resolve) => {
            const request = database.transaction(store).objectStore(store).getAll()
            request.addEventListener('success', () => resolve(JSON.stringify(request.result)))
          }),
        )
      database.close()
    }
    return parts.join('\n')
  })
}

const answerOf = (page: Page): Promise<string> =>
  page
    .locator('.cs-message[data-role="assistant"] .cs-prose')
    .allInnerTexts()
    .then((texts) => texts.join(' '))

describe('the playground over ARCP', () => {
  it('connects, invokes a tool, and mends a socket that is cut', async () => {
    const page = await open('arcp')
    await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
    await page.getByRole('main').getByText('Connected').waitFor()
    await page.getByRole('button', { name: 'Invoke echo' }).click()
    await page.getByRole('group', { name: 'echo' }).getByText('Completed').waitFor()
    expect(await page.getByRole('group', { name: 'echo' }).innerText()).toContain('Hello from the runtime.')
    await cut(1500)
    await page.getByRole('main').getByText('Reconnecting').waitFor()
    await page.getByRole('main').getByText('Connected').waitFor()
    await expect.poll(sockets).toBe(1)
  })

  it('shows a job with its progress, files, log and cost, whole although it was cut in the middle', async () => {
    const page = await open('arcp-progress')
    await page.getByRole('button', { name: 'Invoke survey' }).click()
    const job = page.getByRole('group', { name: 'survey' })
    await job.getByText(/^[2-5] of 8$/).waitFor()
    await cut()
    await job.getByText('Completed').waitFor()
    const words = await job.innerText()
    for (const gauge of ['Long Arm: 2.4 m', 'Ferry: 2.7 m', 'Mouth: 3.1 m', 'Ferry answered late', '1,400 of 2,000'])
      expect(words).toContain(gauge)
    expect(words.split('Ferry was').length + words.split('Ferry: ').length).toBe(3)
    await job.getByText('gauges.csv').waitFor()
  })

  it('follows a job of another session from what was missed to what is new', async () => {
    const page = await open('arcp-observer')
    await page.getByRole('button', { name: 'Invoke survey' }).click()
    await page
      .getByRole('group', { name: 'survey' })
      .getByText(/^[2-5] of 8$/)
      .waitFor()
    await page.getByRole('button', { name: 'Observe from another session' }).click()
    const events = page.getByRole('region', { name: 'Events' })
    await events.getByText('New events').waitFor()
    await events.getByText('Mouth was read').waitFor()
    expect(await events.getByText('Long Arm was read').count()).toBe(1)
  })
})

describe('a question of a job', () => {
  it(
    'is answered wrongly, corrected, cut and reloaded at each point, and goes on to its end',
    { timeout: 120_000 },
    async () => {
      const page = await open('arcp-input')
      await page.getByRole('button', { name: 'Plan a survey' }).click()
      const code = page.getByLabel('Gauge code')
      await code.waitFor()
      await cut(1200)
      await page.getByRole('main').getByText('Reconnecting').first().waitFor()
      await page.reload()
      await code.waitFor()
      await page.locator(ARMED).waitFor()
      await code.fill('wrong')
      await page
        .locator('.cs-prompt')
        .getByRole('button', { name: /send|submit/i })
        .click()
      await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true')
      await code.fill('EL-042')
      await page
        .locator('.cs-prompt')
        .getByRole('button', { name: /send|submit/i })
        .click()
      await page.locator('.cs-prompt').getByText('How do you want to go there?').waitFor()
      await cut()
      await page.reload()
      await page.locator('.cs-prompt').getByText('How do you want to go there?').waitFor()

      // Another tab answers first.
      const other = await open('arcp-input', await context.newPage())
      await other.locator('.cs-prompt').getByText('How do you want to go there?').waitFor()
      await other.locator(ARMED).waitFor()
      await other.locator('.cs-prompt').getByText('By boat').click()
      const send = other.locator('.cs-prompt').getByRole('button', { name: /send|submit|choose|continue/i })
      if ((await send.count()) > 0) await send.first().click()
      for (const tab of [other, page]) {
        await tab.locator('.cs-message[data-role="assistant"]').getByText('You go by boat.').waitFor()
        expect(await tab.locator('.cs-prompt').count()).toBe(0)
      }
      expect((await answerOf(page)).split('First comes EL-042.').length).toBe(2)
      const kept = await keptBy(page)
      expect(kept).toContain('EL-042')
      expect(kept).not.toContain(ARCP_TOKEN)
      expect(said.join('\n')).not.toContain(ARCP_TOKEN)
    },
  )

  it(
    'for a permission gives a lease that counts down, is extended and revoked; words of the tool forge none',
    { timeout: 120_000 },
    async () => {
      const page = await open('arcp-permission')
      await page.getByRole('button', { name: 'Write the reports' }).click()
      await page.locator(ARMED).waitFor()
      // The tool says "Allow everything" with a button: in its answer that is text, and nothing there can be pressed.
      const answer = page.locator('.cs-message[data-role="assistant"]')
      expect(await answer.innerText()).toContain('Allow everything')
      expect(await answer.getByRole('button', { name: 'Allow', exact: true }).count()).toBe(0)
      expect(await page.locator('.cs-prompt').getByText('fs.write').count()).toBeGreaterThan(0)
      const covered = await page.locator('.cs-prompt').evaluate((card) => {
        const { left, top, width, height } = card.getBoundingClientRect()
        const front = document.elementFromPoint(left + width / 2, top + height / 2)
        return front !== null && !card.contains(front)
      })
      expect(covered).toBe(false)
      await page.reload()
      await page.locator(ARMED).waitFor()
      await page
        .locator('.cs-prompt')
        .getByRole('button', { name: /^allow/i })
        .first()
        .click()
      const lease = page.locator('.cs-lease')
      await lease.waitFor()
      const left = async (): Promise<number> => Number(/\d+/.exec(await lease.getByRole('timer').innerText())?.[0])
      const first = await left()
      await expect.poll(left, { timeout: 10_000 }).toBeLessThan(first)
      await cut()
      await page.reload()
      await lease.getByRole('button', { name: /extend|min/i }).click()
      await expect.poll(() => lease.getByRole('timer').innerText(), { timeout: 10_000 }).toContain('min')
      await lease.getByRole('button', { name: 'Revoke' }).click()
      await answer.getByText('The permission is over, so I stopped writing.').waitFor()
      expect(await page.locator('.cs-lease').count()).toBe(0)
      expect(await keptBy(page)).not.toContain(ARCP_TOKEN)
    },
  )
})
