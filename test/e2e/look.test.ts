import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BenchPage } from './bench-page.ts'
import type { Bench } from './open-bench.ts'
import { openBench } from './open-bench.ts'

let bench: Bench
let pictures: string

beforeAll(async () => {
  bench = await openBench()
  pictures = await mkdtemp(join(tmpdir(), 'capstan-look-'))
})

afterAll(async () => {
  await bench?.close()
  await rm(pictures, { recursive: true, force: true })
})

/** Whether something stands out of the page to the side: of the page itself, or of a part that does not scroll. */
async function overflow(person: BenchPage, picture: string): Promise<string[]> {
  const shot = await person.page.screenshot({ path: join(pictures, `${picture}.png`) })
  expect(shot.byteLength).toBeGreaterThan(5_000)
  return person.page.evaluate(() => {
    const page = document.scrollingElement
    const wide =
      page !== null && page.scrollWidth > innerWidth ? [`the page: ${page.scrollWidth} of ${innerWidth}`] : []
    const outside = [
      ...document.querySelectorAll<HTMLElement>(
        '.pg-bar > *, .pg-rail-foot > *, .pg-fault, .pg-counts > *, .cs-composer, .cs-bubble, dialog[open]',
      ),
    ]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 0 && (left < -1 || right > innerWidth + 1)
      })
      .map((element) => element.className || element.tagName)
    return [...wide, ...outside]
  })
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  let person: BenchPage

  beforeAll(async () => {
    person = await bench.open({ colorScheme })
  })

  beforeEach(async () => {
    await person.page.setViewportSize({ width: 1440, height: 900 })
    await person.afresh()
  })

  afterAll(() => person?.page.context().close())

  afterEach(() => {
    expect(person.problems).toEqual([])
  })

  it('at 1440: rail, chat and panel side by side, nothing stands out', async () => {
    await person.choose('Cut mid-packet')
    await person.ends('complete')
    expect(await overflow(person, `wide-${colorScheme}`)).toEqual([])
    expect(await person.page.getByRole('navigation', { name: 'Scenarios' }).isVisible()).toBe(true)
    expect(await person.page.getByRole('complementary', { name: 'Connection' }).isVisible()).toBe(true)
  })

  it('at 1440: the connection panel can be closed and brought back', async () => {
    const panel = person.page.getByRole('complementary', { name: 'Connection' })
    await person.press('Close connection panel')
    await panel.waitFor({ state: 'hidden' })
    await person.press('Connection')
    await panel.waitFor()
  })

  it.each([360, 320])('at %i: the chat alone, rail and panel as sheets, nothing stands out', async (width) => {
    await person.page.setViewportSize({ width, height: 740 })
    expect(await overflow(person, `empty-${colorScheme}-${width}`)).toEqual([])

    await person.press('Scenarios')
    const rail = person.page.getByRole('dialog', { name: 'Scenarios' })
    await rail.waitFor()
    expect(await overflow(person, `rail-${colorScheme}-${width}`)).toEqual([])
    await rail.getByRole('link', { name: 'Gap in seq' }).click()
    await rail.waitFor({ state: 'hidden' })
    await person.ends('complete')
    expect(await person.page.getByRole('heading', { level: 1 }).textContent()).toBe('Gap in seq')
    expect(await overflow(person, `chat-${colorScheme}-${width}`)).toEqual([])

    await person.press('Connection')
    await person.page.getByRole('dialog', { name: 'Connection' }).waitFor()
    expect(await overflow(person, `line-${colorScheme}-${width}`)).toEqual([])
    await person.page.keyboard.press('Escape')
    expect(await person.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Connection')

    await person.press('Scenarios')
    await person.press('Settings')
    await person.page.getByRole('dialog', { name: 'Settings' }).waitFor()
    expect(await overflow(person, `settings-${colorScheme}-${width}`)).toEqual([])
    await person.press('Cancel')
    await person.page.keyboard.press('Escape')
  })
})

/** What axe has to say against the page as it stands. */
async function axe({ page }: BenchPage): Promise<string[]> {
  const known = await page.evaluate(() => 'axe' in globalThis)
  if (!known)
    await page.addScriptTag({
      content: await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    })
  return page.evaluate(async () => {
    // The script above has put it there.
    const { violations } = await (
      globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
    ).axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  })
}

describe.each([
  ['light', {}],
  ['dark, more contrast, compact, Arabic', { theme: 'dark', contrast: 'more', density: 'compact', language: 'ar' }],
])('axe finds nothing against the page in %s', (_, appearance) => {
  let person: BenchPage

  beforeAll(async () => {
    person = await bench.open({ viewport: { width: 1440, height: 900 } })
    await person.page.evaluate(
      (stored) => localStorage.setItem('capstan-playground-appearance', stored),
      JSON.stringify(appearance),
    )
    await person.page.reload()
    await person.page.locator('.cs-chat').waitFor()
  })

  afterAll(() => person?.page.context().close())

  it('at rest, with every event, with the timeline below and a packet open', async () => {
    expect(await axe(person)).toEqual([])
    await person.choose('Every event')
    await person.ends('complete')
    await person.page.getByRole('option', { name: /MEDIA_CAROUSEL/ }).click()
    expect(await axe(person)).toEqual([])
    await person.press('Timeline')
    await person.press('Dock below the chat')
    await person.page.getByRole('region', { name: 'Stream inspector' }).waitFor()
    expect(await axe(person)).toEqual([])
  })

  it('with settings and appearance open', async () => {
    await person.press('Settings')
    await person.page.getByText('Operational').waitFor()
    expect(await axe(person)).toEqual([])
    await person.press('Cancel')
    await person.press('Appearance')
    expect(await axe(person)).toEqual([])
    await person.page.keyboard.press('Escape')
  })
})

describe('the inspector', () => {
  let person: BenchPage

  beforeAll(async () => {
    person = await bench.open({ viewport: { width: 1440, height: 900 } })
    await person.choose('Cut mid-packet')
    await person.ends('complete')
  })

  afterAll(() => person?.page.context().close())

  const packet = () => person.page.getByRole('region', { name: 'Selected packet' })

  it('opens a packet of the log as it came, by a press and by the arrow keys', async () => {
    const log = person.page.getByRole('listbox', { name: 'Packet log' })
    await log.getByRole('option', { name: /CLOSE/ }).click()
    await packet().getByText('"finished"').waitFor()
    await log.press('ArrowUp')
    await packet().getByText('DELTA').first().waitFor()
    await log.press('Escape')
    await packet().waitFor({ state: 'hidden' })
  })

  it('shows the run over time: two attempts, a drop, the stream; a packet of it is the one in the log', async () => {
    await person.press('Timeline')
    const timeline = person.page.getByRole('group', { name: 'Timeline' })
    await timeline.getByRole('img', { name: /2 attempts, 1 drop, 1 stream/ }).waitFor()
    await timeline.press('ArrowRight')
    await packet().getByText('seq 1', { exact: true }).waitFor()
    await person.press('Packets')
    expect(
      await person.page
        .getByRole('listbox', { name: 'Packet log' })
        .getByRole('option', { selected: true })
        .textContent(),
    ).toMatch(/1DELTA/)
  })

  it('docks below the chat, as high as one likes, and back to the side', async () => {
    await person.press('Timeline')
    await person.press('Dock below the chat')
    const drawer = person.page.getByRole('region', { name: 'Stream inspector' })
    const edge = drawer.getByRole('separator')
    const before = (await drawer.boundingBox())?.height ?? 0
    await edge.press('ArrowUp')
    await expect.poll(async () => (await drawer.boundingBox())?.height).toBeGreaterThan(before)
    await person.press('Dock to the side')
    await drawer.waitFor({ state: 'hidden' })
    await person.page.getByRole('group', { name: 'Timeline' }).waitFor()
    await person.press('Packets')
  })
})

describe('the appearance', () => {
  it('changes contrast, density and language, turns the page, and outlives it', async () => {
    const person = await bench.open({ viewport: { width: 1440, height: 900 } })
    const { page } = person
    await person.press('Appearance')
    await person.press('More')
    await person.press('Compact')
    await page.getByRole('combobox', { name: 'Language' }).selectOption('ar')
    await page.keyboard.press('Escape')
    const look = (): Promise<unknown> =>
      page.evaluate(() => ({
        ...Object.fromEntries(Object.entries(document.documentElement.dataset)),
        dir: document.documentElement.dir,
        lang: document.querySelector<HTMLElement>('.cs-chat')?.lang,
      }))
    expect(await look()).toEqual({ contrast: 'more', density: 'compact', dir: 'rtl', lang: 'ar' })
    const rail = await page.getByRole('navigation', { name: 'Scenarios' }).boundingBox()
    expect(rail?.x).toBeGreaterThan(720)
    expect(await overflow(person, 'arabic')).toEqual([])
    await page.reload()
    await page.locator('.cs-chat').waitFor()
    expect(await look()).toEqual({ contrast: 'more', density: 'compact', dir: 'rtl', lang: 'ar' })
    await page.context().close()
  })
})

describe('the theme', () => {
  const ground = (person: BenchPage): Promise<string> =>
    person.page.evaluate(() => getComputedStyle(document.body).backgroundColor)

  it('follows the device until one is chosen, and the choice outlives the page', async () => {
    const person = await bench.open({ colorScheme: 'light' })
    const light = await ground(person)
    await person.press('Dark')
    const dark = await ground(person)
    expect(dark).not.toBe(light)
    await person.page.reload()
    await person.page.locator('.cs-chat').waitFor()
    expect(await ground(person)).toBe(dark)
    await person.press('System')
    expect(await ground(person)).toBe(light)
    await person.page.context().close()
  })

  it('works where nothing may be stored', async () => {
    const context = await bench.browser.newContext()
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('Forbidden', 'SecurityError')
        },
      })
    })
    await page.goto(`${bench.origin}/playground/index.html`)
    await page.getByRole('button', { name: 'Dark' }).click()
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    expect(errors).toEqual([])
    await context.close()
  })
})

describe('with the keyboard alone', () => {
  it('a scenario is found, played and played again', async () => {
    const person = await bench.open({})
    const { keyboard } = person.page
    await person.page.getByRole('searchbox', { name: 'Search scenarios' }).focus()
    await keyboard.type('plain')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await person.ends('complete')
    expect(await person.requestIds()).toHaveLength(1)
    await keyboard.press('Tab')
    expect(await person.page.evaluate(() => document.activeElement?.textContent)).toBe('Run again')
    await keyboard.press('Enter')
    await expect.poll(async () => (await person.requestIds()).length).toBe(2)
    await person.ends('complete')
    expect(person.problems).toEqual([])
    await person.page.context().close()
  })

  it('shows where it is, in forced colours too', async () => {
    const person = await bench.open({ forcedColors: 'active' })
    for (let step = 0; step < 12; step++) {
      await person.page.keyboard.press('Tab')
      const seen = await person.page.evaluate(() => {
        const element = document.activeElement
        const shown = [element, element?.closest('.pg-find'), element?.closest('.pg-endpoint')].filter(
          (each) => each instanceof Element,
        )
        return shown.some((each) => getComputedStyle(each).outlineStyle !== 'none')
      })
      expect(seen).toBe(true)
    }
    expect(await overflow(person, 'forced')).toEqual([])
    await person.page.context().close()
  })
})

describe('the recording', () => {
  it('is a file that holds every frame and no key', async () => {
    const person = await bench.open({ acceptDownloads: true })
    await person.set('API key', 'not-for-others')
    await person.choose('Plain text')
    await person.ends('complete')
    const [download] = await Promise.all([person.page.waitForEvent('download'), person.press('Save recording')])
    expect(download.suggestedFilename()).toBe('capstan-plain-text.json')
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk as Uint8Array))
    const text = Buffer.concat(chunks).toString('utf8')
    expect(text).not.toContain('not-for-others')
    // JSON.parse gives `any`; what is asked of it below fails if it is anything else.
    const recording = JSON.parse(text) as { format: string; runs: { attempts: { frames: unknown[] }[] }[] }
    expect(recording.format).toBe('capstan-recording')
    expect(recording.runs[0]?.attempts[0]?.frames).toHaveLength(await person.count('packet'))
    await person.page.context().close()
  })
})
