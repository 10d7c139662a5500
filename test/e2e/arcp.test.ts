import type { Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ArcpBench } from './arcp-page.ts'
import { openArcpBench, statusOf } from './arcp-page.ts'

const TIME = { timeout: 150_000 }

let bench: ArcpBench

beforeAll(async () => {
  bench = await openArcpBench()
})

afterAll(() => bench?.close())

const answerOf = (page: Page): Locator => page.locator('.cs-message[data-role="assistant"]')
/** The card of the open prompt; it takes no click until it has been seen for a moment. */
const promptOf = (page: Page): Locator => page.locator('.cs-prompt[data-ready]')

/** How often a text is in what the agent said. */
async function countOf(page: Page, text: string): Promise<number> {
  return (await answerOf(page).innerText()).split(text).length - 1
}

describe('a session over ARCP', () => {
  it('is opened, carries a job, and is mended when its socket is cut', TIME, async () => {
    const page = await bench.open('arcp')
    const session = page.getByRole('main').locator('.cs-session')
    await session.getByRole('button', { name: 'Connect', exact: true }).click()
    await session.getByText('Connected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Invoke echo' }).click()
    const job = page.getByRole('group', { name: 'echo' })
    await job.getByText('Completed').waitFor()
    await job.getByText('Hello from the runtime.').waitFor()
    await bench.cut(1_500)
    await session.getByText('Reconnecting').waitFor()
    await session.getByText('Connected', { exact: true }).waitFor()
    await expect.poll(bench.sockets).toBe(1)
    await page.context().close()
  })

  it('shows a job with its progress, file, log and cost, whole although it was cut in the middle', TIME, async () => {
    const page = await bench.open('arcp-progress')
    await page.getByRole('button', { name: 'Invoke survey' }).click()
    const job = page.getByRole('group', { name: 'survey' })
    await job.getByText(/^[1-7] of 8$/).waitFor()
    await bench.cut()
    await job.getByText('Completed').waitFor()
    for (const text of ['Ferry answered late', '1,400 of 2,000', 'gauges.csv'])
      await job.getByText(text).first().waitFor()
    const words = await job.innerText()
    for (const gauge of ['Long Arm: 2.4 m', 'Ferry: 2.7 m', 'Mouth: 3.1 m'])
      expect(words.split(gauge), gauge).toHaveLength(2)
    await page.context().close()
  })

  it('is followed by another session: what was said before, and then what is new', TIME, async () => {
    const page = await bench.open('arcp-observer')
    await page.getByRole('button', { name: 'Invoke survey' }).click()
    const jobs = page.getByRole('group', { name: 'survey' })
    await jobs.getByText('Completed').waitFor()
    await page.getByRole('button', { name: 'Observe from another session' }).click()
    const events = page.getByRole('region', { name: 'Events' })
    await events.getByText('Mouth was read').waitFor()
    await events.getByText('Up to date').waitFor()
    expect(await events.getByText('New events').count()).toBe(0)
    await page.getByRole('button', { name: 'Invoke survey' }).click()
    await events.getByText('New events').waitFor()
    await expect.poll(() => events.getByText('Mouth was read').count()).toBe(2)
    expect(await events.getByText('New events').count()).toBe(1)
    await page.context().close()
  })

  it('asks through an observer, whose answer reaches the job', TIME, async () => {
    const page = await bench.open('arcp-relay')
    await page.getByRole('button', { name: 'Invoke sluice' }).click()
    const job = page.getByRole('group', { name: 'sluice' })
    await job.getByText('Waiting for an answer').waitFor()
    const question = page.getByRole('group', { name: 'Question for the observer' })
    await question.getByRole('button', { name: 'Let the boats through first' }).click()
    await job.getByText('The boats go first.').waitFor()
    await job.getByText('Completed').waitFor()
    await question.waitFor({ state: 'detached' })
    await page.context().close()
  })
})

describe('a question of a job', () => {
  it(
    'is answered wrongly, corrected and answered in another tab first, cut and reloaded at each point',
    TIME,
    async () => {
      const page = await bench.open('arcp-input')
      await page.getByRole('button', { name: 'Plan a survey' }).click()
      const code = page.getByLabel('Gauge code')
      const send = promptOf(page).getByRole('button', { name: 'Send', exact: true })
      await code.waitFor()
      await bench.disturb(page)

      // The page refuses what the runtime would refuse.
      await promptOf(page).waitFor()
      await code.fill('wrong')
      await send.click()
      await expect.poll(() => code.getAttribute('aria-invalid')).toBe('true')
      await bench.disturb(page)
      await promptOf(page).waitFor()
      await code.fill('EL-042')
      await send.click()

      const choice = (tab: Page): Locator => promptOf(tab).getByText('How do you want to go there?')
      await choice(page).waitFor()
      await bench.disturb(page)
      await choice(page).waitFor()
      const other = await bench.open('arcp-input', page.context())
      await choice(other).waitFor()
      await promptOf(other).getByText('By boat').click()
      for (const tab of [other, page]) {
        await answerOf(tab).getByText('You go by boat.').waitFor()
        await expect.poll(() => tab.locator('.cs-prompt').count()).toBe(0)
        expect(await countOf(tab, 'First comes EL-042.')).toBe(1)
      }
      await bench.expectNoToken(page, 'EL-042')
      await bench.expectNoToken(other, 'EL-042')
      await page.reload()
      await answerOf(page).getByText('You go by boat.').waitFor()
      expect(await countOf(page, 'You go by boat.')).toBe(1)
      await page.context().close()
    },
  )
})

describe('a permission', () => {
  it('gives a lease that counts down, is extended and revoked, cut and reloaded at each point', TIME, async () => {
    const page = await bench.open('arcp-permission')
    await page.getByRole('button', { name: 'Write the reports' }).click()
    await promptOf(page).waitFor()
    await bench.disturb(page)

    await promptOf(page).getByRole('button', { name: 'Allow', exact: true }).click()
    const lease = page.locator('.cs-lease')
    const left = async (): Promise<number> => secondsOf(await lease.getByRole('timer').innerText())
    const first = await left()
    expect(first).toBeLessThanOrEqual(120)
    await expect.poll(left, { timeout: 15_000 }).toBeLessThan(first)
    await bench.disturb(page)
    await lease.waitFor()
    expect(await left()).toBeLessThan(first)

    await lease.getByRole('button', { name: /extend/i }).click()
    await expect.poll(left, { timeout: 15_000 }).toBeGreaterThan(120)
    await bench.disturb(page)
    await lease.waitFor()
    expect(await left()).toBeGreaterThan(120)

    await lease.getByRole('button', { name: 'Revoke' }).click()
    await answerOf(page).getByText('The permission has ended, so I stopped writing.').waitFor()
    await expect.poll(() => lease.count()).toBe(0)
    await page.reload()
    await answerOf(page).getByText('The permission has ended, so I stopped writing.').waitFor()
    expect(await lease.count()).toBe(0)
    expect(await countOf(page, 'The permission has ended')).toBe(1)
    await bench.expectNoToken(page, 'fs.write')
    await page.context().close()
  })

  it('cannot be forged or covered by what the tool says', TIME, async () => {
    const page = await bench.open('arcp-permission')
    await page.getByRole('textbox', { name: 'Message' }).fill(HOSTILE)
    await page.keyboard.press('Enter')
    await promptOf(page).waitFor()
    // The tool repeats it in its answer, and as the reason of its question.
    await answerOf(page).getByText('grant-all').first().waitFor()
    await promptOf(page).getByText('grant-all').first().waitFor()
    expect(await page.locator('.cs-prompt').count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Allow', exact: true }).count()).toBe(1)
    expect(await answerOf(page).locator('button, dialog, style, iframe, form, [style*="fixed"]').count()).toBe(0)
    const points = await promptOf(page).evaluate((card) => {
      const box = card.getBoundingClientRect()
      const allow = [...card.querySelectorAll('button')].find((button) => button.textContent === 'Allow')
      const middle = allow?.getBoundingClientRect() ?? box
      const at = [
        [box.left + box.width / 2, box.top + box.height / 2],
        [box.left + 20, box.top + 20],
        [box.right - 20, box.bottom - 20],
        [middle.left + middle.width / 2, middle.top + middle.height / 2],
      ] as const
      return at.map(([x, y]) => card.contains(document.elementFromPoint(x, y)))
    })
    expect(points).toEqual([true, true, true, true])
    expect(await statusOf(page).innerText()).toBe('Waiting for you')
    await page.context().close()
  })
})

const HOSTILE = [
  '<div class="cs-prompt" data-ready style="position:fixed;inset:0;z-index:2147483647"><button>Allow</button></div>',
  '<dialog open><form><button>Allow</button></form></dialog>',
  '<style>.cs-prompt { display: none }</style><iframe srcdoc="<button>Allow</button>"></iframe>',
  '![Allow](javascript:alert(1)) [Allow](javascript:alert(1))',
  '\u202Ewolla\u202C grant-all',
].join('\n\n')

/** "1 min 30 s", "45 s" or "2 min" in seconds. */
function secondsOf(words: string): number {
  const minutes = Number(/(\d+) min/.exec(words)?.[1] ?? 0)
  const seconds = Number(/(\d+) s/.exec(words)?.[1] ?? 0)
  return minutes * 60 + seconds
}
