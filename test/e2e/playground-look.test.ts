import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BenchPage } from './bench-page.ts'
import type { Bench } from './open-bench.ts'
import { openBench } from './open-bench.ts'

let bench: Bench

beforeAll(async () => {
  bench = await openBench()
})

afterAll(() => bench?.close())

async function openAt(width: number, height: number, options = {}): Promise<BenchPage> {
  return bench.open({ viewport: { width, height }, ...options })
}

describe.each([1440, 360])('the first stop of the Tab key, %i pixels wide', (width) => {
  it('is a link that skips header and rail, and is seen when it has the focus', async () => {
    const { page } = await openAt(width, 800)
    await page.keyboard.press('Tab')
    const link = page.getByRole('link', { name: 'Skip to the chat' })
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true)
    expect((await link.boundingBox())?.width).toBeGreaterThan(60)
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
    expect(page.url()).not.toContain('#')
    await page.context().close()
  })

  it('is that link also where a scenario far down the rail is open', async () => {
    const user = await openAt(width, 800)
    await user.visit(`${bench.origin}/playground/index.html#unknown-event`)
    await user.page.keyboard.press('Tab')
    expect(await user.page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the chat')
    await user.page.context().close()
  })
})

describe('the button of a lasting fault', () => {
  it('names what a press does, and claims no state next to it', async () => {
    const user = await openAt(1440, 900)
    const offline = user.page.locator('.pg-fault').nth(2)
    await user.press('Go offline')
    expect([await offline.textContent(), await offline.getAttribute('aria-pressed')]).toEqual(['Go back online', null])
    await user.press('Go back online')
    expect(await offline.textContent()).toBe('Go offline')
    await user.page.context().close()
  })
})

describe('silence', () => {
  it('is told by the pill and in the picture, until the connection counts as lost', async () => {
    const user = await openAt(1440, 900)
    await user.choose('Stalled connection')
    await user.page.locator('.pg-panel-head').getByText('Waiting for the assistant').waitFor()
    await user.page.locator('.pg-wire[data-state="silent"]').waitFor()
    await user.ends('complete')
    await user.page.locator('.pg-panel-head').getByText('Ready').waitFor()
    await user.page.context().close()
  })
})

describe('the time to the next attempt', () => {
  it('is the same in header, chat and log, whenever it changes', async () => {
    const user = await openAt(1440, 900)
    await user.page.evaluate(() => {
      const seen: string[][] = []
      const look = (): void => {
        const figures = [
          '.pg-panel-head .cs-pill',
          '.cs-countdown [aria-hidden]',
          '.pg-log-note[data-tone="wait"]',
        ].map((place) => / (\d+ s)/.exec(document.querySelector(place)?.textContent ?? '')?.[1] ?? '')
        // The pill leaves a short drop unsaid; from then on all three count.
        if (figures.every((figure) => figure !== '')) seen.push(figures)
      }
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
      Object.assign(globalThis, { seen })
    })
    await user.choose('Transient, retry after 4 s')
    await user.ends('complete')
    const seen = await user.page.evaluate(() => (globalThis as unknown as { seen: string[][] }).seen)
    expect(new Set(seen.map(([first]) => first)).size).toBeGreaterThanOrEqual(3)
    expect(seen.filter((figures) => new Set(figures).size > 1)).toEqual([])
    // When it has ended, the log says how long it was.
    expect((await user.notes()).some((note) => /^index_slow: waiting \d s, attempt 1 of 3$/.test(note))).toBe(true)
    await user.page.context().close()
  })
})

describe('a window zoomed to 400 %', () => {
  it.each(['plain-text', 'gap-in-seq', 'log-lost'])('has half of its height for reading, with %s', async (scenario) => {
    const user = await openAt(320, 256)
    await user.visit(`${bench.origin}/playground/index.html#${scenario}`)
    await user.ends(scenario === 'log-lost' ? 'failed' : 'complete')
    const view = await user.page.getByRole('region', { name: 'Messages' }).boundingBox()
    const top = Math.max(0, view?.y ?? 0)
    expect(Math.min(256, (view?.y ?? 0) + (view?.height ?? 0)) - top).toBeGreaterThanOrEqual(128)
    const box = await user.page.getByRole('textbox', { name: 'Message' }).boundingBox()
    expect((box?.y ?? 256) + (box?.height ?? 0)).toBeLessThanOrEqual(256)
    // What the scenario is about can still be reached.
    const about = user.page.getByRole('complementary', { name: 'About this scenario' })
    await about.scrollIntoViewIfNeeded()
    expect((await about.boundingBox())?.y).toBeLessThan(256)
    await user.page.context().close()
  })
})

describe('an answer', () => {
  it('has its code in colour', async () => {
    const user = await openAt(1440, 900)
    await user.visit(`${bench.origin}/playground/index.html#markdown`, { markdown: true })
    const keyword = user.answers().locator('pre [data-token="keyword"]').first()
    await keyword.waitFor()
    const [coloured, plain] = await keyword.evaluate((element) => [
      getComputedStyle(element).color,
      getComputedStyle(element.closest('pre') ?? element).color,
    ])
    expect(coloured).not.toBe(plain)
    expect(user.problems).toEqual([])
    await user.page.context().close()
  })

  it('has a notice that speaks of "the level below" above that level', async () => {
    const user = await openAt(1440, 900)
    await user.choose('Notice to the user')
    await user.ends('complete')
    const notice = await user.answers().getByRole('note').boundingBox()
    const level = await user.answers().getByText('it stood at 2.14 m').boundingBox()
    expect((notice?.y ?? 0) + (notice?.height ?? 0)).toBeLessThanOrEqual(level?.y ?? 0)
    await user.page.context().close()
  })

  it('has a time of day as its language writes it', async () => {
    const user = await openAt(1440, 900, { locale: 'en-US', timezoneId: 'UTC' })
    await user.page.clock.setFixedTime(new Date('2026-03-01T14:05:00Z'))
    await user.choose('Plain text')
    await user.ends('complete')
    expect((await user.answers().locator('time').textContent())?.replace(/\s/u, ' ')).toBe('2:05 PM')
    await user.page.context().close()
  })
})

describe('the embedded agent', () => {
  const shape = async (): Promise<unknown> => (await bench.command({ action: 'shape' })).shape

  it('replays from the start when the switch says so: what came before is ignored as a duplicate', async () => {
    const user = await openAt(1440, 900)
    const replay = user.page.getByRole('switch', { name: 'Replay from the start on resume' })
    // The panel is painted a frame after the answer.
    const counts = async (): Promise<readonly number[]> => [
      await user.count('duplicate'),
      await user.count('gap'),
      await user.count('drop'),
    ]
    expect(await replay.isChecked()).toBe(true)
    await user.choose('Cut mid-packet')
    await user.ends('complete')
    await expect.poll(() => user.count('duplicate')).toBeGreaterThan(5)
    await replay.uncheck()
    await expect.poll(shape).toMatchObject({ replayFromStart: false })
    await user.afresh()
    await user.choose('Cut mid-packet')
    await user.ends('complete')
    // The page names the last packet that it has: nothing comes again, and nothing is lost.
    await expect.poll(counts).toEqual([0, 0, 1])
    await replay.check()
    await expect.poll(shape).toMatchObject({ replayFromStart: true })
    await user.page.context().close()
  })

  it.each([1440, 360])('answers in the generation that is chosen, %i pixels wide', async (width) => {
    const user = await openAt(width, 800)
    if (width < 960) await user.press('Connection')
    const menu = user.page.getByRole('combobox', { name: 'Generation of CAP packets' })
    await menu.selectOption('CAP G2')
    await expect.poll(shape).toMatchObject({ generation: 'G2' })
    expect(await menu.inputValue()).toBe('G2')
    if (width < 960) await user.press('Close connection panel')
    await user.ask('What is a packet?')
    await user.ends('complete')
    if (width < 960) await user.press('Connection')
    const recorded = await user.page.locator('.pg-log-row').first().textContent()
    // No number: only G1 has one.
    expect(recorded).toMatch(/^\d+\.\d{3}(?:DELTA|EVENT)/)
    await menu.selectOption('CAP G1')
    await expect.poll(shape).toMatchObject({ generation: 'G1' })
    await user.page.context().close()
  })
})
