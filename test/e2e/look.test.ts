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

/** Whether something is out of the page to the side: of the page itself, or of a part that does not scroll. */
async function overflow(user: BenchPage, picture: string): Promise<string[]> {
  const shot = await user.page.screenshot({ path: join(pictures, `${picture}.png`) })
  expect(shot.byteLength).toBeGreaterThan(5_000)
  return user.page.evaluate(() => {
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
  let user: BenchPage

  beforeAll(async () => {
    user = await bench.open({ colorScheme })
  })

  beforeEach(async () => {
    await user.page.setViewportSize({ width: 1440, height: 900 })
    await user.afresh()
  })

  afterAll(() => user?.page.context().close())

  afterEach(() => {
    expect(user.problems).toEqual([])
  })

  it('at 1440: rail, chat and panel side by side, nothing is out', async () => {
    await user.choose('Cut mid-packet')
    await user.ends('complete')
    expect(await overflow(user, `wide-${colorScheme}`)).toEqual([])
    expect(await user.page.getByRole('navigation', { name: 'Scenarios' }).isVisible()).toBe(true)
    expect(await user.page.getByRole('complementary', { name: 'Connection' }).isVisible()).toBe(true)
  })

  it('at 1440: the connection panel can be closed and brought back', async () => {
    const panel = user.page.getByRole('complementary', { name: 'Connection' })
    await user.press('Close connection panel')
    await panel.waitFor({ state: 'hidden' })
    await user.press('Connection')
    await panel.waitFor()
  })

  it.each([360, 320])('at %i: the chat alone, rail and panel as sheets, nothing is out', async (width) => {
    await user.page.setViewportSize({ width, height: 740 })
    expect(await overflow(user, `empty-${colorScheme}-${width}`)).toEqual([])

    await user.press('Scenarios')
    const rail = user.page.getByRole('dialog', { name: 'Scenarios' })
    await rail.waitFor()
    expect(await overflow(user, `rail-${colorScheme}-${width}`)).toEqual([])
    await rail.getByRole('link', { name: 'Gap in seq' }).click()
    await rail.waitFor({ state: 'hidden' })
    await user.ends('complete')
    expect(await user.page.getByRole('heading', { level: 1 }).textContent()).toBe('Gap in seq')
    expect(await overflow(user, `chat-${colorScheme}-${width}`)).toEqual([])

    await user.press('Connection')
    await user.page.getByRole('dialog', { name: 'Connection' }).waitFor()
    expect(await overflow(user, `line-${colorScheme}-${width}`)).toEqual([])
    await user.page.keyboard.press('Escape')
    expect(await user.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Connection')

    await user.press('Scenarios')
    await user.press('Settings')
    await user.page.getByRole('dialog', { name: 'Settings' }).waitFor()
    expect(await overflow(user, `settings-${colorScheme}-${width}`)).toEqual([])
    await user.press('Cancel')
    await user.page.keyboard.press('Escape')
  })
})

/** What axe has to say against the page as it is. */
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
  let user: BenchPage

  beforeAll(async () => {
    user = await bench.open({ viewport: { width: 1440, height: 900 } })
    await user.page.evaluate(
      (stored) => localStorage.setItem('capstan-playground-appearance', stored),
      JSON.stringify(appearance),
    )
    await user.page.reload()
    await user.page.locator('.cs-chat').waitFor()
  })

  afterAll(() => user?.page.context().close())

  it('at rest, with every event, with the timeline below and a packet open', async () => {
    expect(await axe(user)).toEqual([])
    await user.choose('Every event')
    await user.ends('complete')
    await user.page.getByRole('option', { name: /MEDIA_CAROUSEL/ }).click()
    // What scrolls takes the focus once its size is known.
    await user.page.locator('.cs-code > .cs-json[tabindex="0"]').waitFor()
    expect(await axe(user)).toEqual([])
    await user.press('Timeline')
    await user.press('Dock below the chat')
    await user.page.getByRole('region', { name: 'Stream inspector' }).waitFor()
    expect(await axe(user)).toEqual([])
  })

  it('with settings and appearance open', async () => {
    await user.press('Settings')
    await user.page.getByText('Operational').waitFor()
    expect(await axe(user)).toEqual([])
    await user.press('Cancel')
    await user.press('Appearance')
    expect(await axe(user)).toEqual([])
    await user.page.keyboard.press('Escape')
  })
})

describe('the inspector', () => {
  let user: BenchPage

  beforeAll(async () => {
    user = await bench.open({ viewport: { width: 1440, height: 900 } })
    await user.choose('Cut mid-packet')
    await user.ends('complete')
  })

  afterAll(() => user?.page.context().close())

  const packet = () => user.page.getByRole('region', { name: 'Selected packet' })

  it('opens a packet of the log unchanged, by a press and by the arrow keys', async () => {
    const log = user.page.getByRole('listbox', { name: 'Packet log' })
    await log.getByRole('option', { name: /CLOSE/ }).click()
    await packet().getByText('"finished"').waitFor()
    await log.press('ArrowUp')
    await packet().getByText('DELTA').first().waitFor()
    await log.press('Escape')
    await packet().waitFor({ state: 'hidden' })
  })

  it('shows the run over time: two attempts, a drop, the stream; a packet of it is the one in the log', async () => {
    await user.press('Timeline')
    const timeline = user.page.getByRole('group', { name: 'Timeline' })
    await timeline.getByRole('img', { name: /2 attempts, 1 drop, 1 stream/ }).waitFor()
    await timeline.press('ArrowRight')
    await packet().getByText('seq 1', { exact: true }).waitFor()
    await user.press('Packets')
    expect(
      await user.page
        .getByRole('listbox', { name: 'Packet log' })
        .getByRole('option', { selected: true })
        .textContent(),
    ).toMatch(/1DELTA/)
  })

  it('docks below the chat, as high as one likes, and back to the side', async () => {
    await user.press('Timeline')
    await user.press('Dock below the chat')
    const drawer = user.page.getByRole('region', { name: 'Stream inspector' })
    const edge = drawer.getByRole('separator')
    const before = (await drawer.boundingBox())?.height ?? 0
    await edge.press('ArrowUp')
    await expect.poll(async () => (await drawer.boundingBox())?.height).toBeGreaterThan(before)
    await user.press('Dock to the side')
    await drawer.waitFor({ state: 'hidden' })
    await user.page.getByRole('group', { name: 'Timeline' }).waitFor()
    await user.press('Packets')
  })
})

describe('the appearance', () => {
  it('changes contrast, density and language, turns the page, and outlives it', async () => {
    const user = await bench.open({ viewport: { width: 1440, height: 900 } })
    const { page } = user
    await user.press('Appearance')
    await user.press('More')
    await user.press('Compact')
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
    expect(await overflow(user, 'arabic')).toEqual([])
    await page.reload()
    await page.locator('.cs-chat').waitFor()
    expect(await look()).toEqual({ contrast: 'more', density: 'compact', dir: 'rtl', lang: 'ar' })
    await page.context().close()
  })
})

describe('the theme', () => {
  const ground = (user: BenchPage): Promise<string> =>
    user.page.evaluate(() => getComputedStyle(document.body).backgroundColor)

  it('follows the device until one is chosen, and the choice outlives the page', async () => {
    const user = await bench.open({ colorScheme: 'light' })
    const light = await ground(user)
    await user.press('Dark')
    const dark = await ground(user)
    expect(dark).not.toBe(light)
    await user.page.reload()
    await user.page.locator('.cs-chat').waitFor()
    expect(await ground(user)).toBe(dark)
    await user.press('System')
    expect(await ground(user)).toBe(light)
    await user.page.context().close()
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
    const user = await bench.open({})
    const { keyboard } = user.page
    await user.page.getByRole('searchbox', { name: 'Search scenarios' }).focus()
    await keyboard.type('plain')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await user.ends('complete')
    expect(await user.requestIds()).toHaveLength(1)
    await keyboard.press('Tab')
    expect(await user.page.evaluate(() => document.activeElement?.textContent)).toBe('Run again')
    await keyboard.press('Enter')
    await expect.poll(async () => (await user.requestIds()).length).toBe(2)
    await user.ends('complete')
    expect(user.problems).toEqual([])
    await user.page.context().close()
  })

  it('shows where it is, in forced colours too', async () => {
    const user = await bench.open({ forcedColors: 'active' })
    for (let step = 0; step < 12; step++) {
      await user.page.keyboard.press('Tab')
      const seen = await user.page.evaluate(() => {
        const element = document.activeElement
        const shown = [element, element?.closest('.pg-find'), element?.closest('.pg-endpoint')].filter(
          (each) => each instanceof Element,
        )
        return shown.some((each) => getComputedStyle(each).outlineStyle !== 'none')
      })
      expect(seen).toBe(true)
    }
    expect(await overflow(user, 'forced')).toEqual([])
    await user.page.context().close()
  })
})

describe('the recording', () => {
  it('is a file that holds every frame and no key', async () => {
    const user = await bench.open({ acceptDownloads: true })
    await user.set('API key', 'not-for-others')
    await user.choose('Plain text')
    await user.ends('complete')
    const [download] = await Promise.all([user.page.waitForEvent('download'), user.press('Save recording')])
    expect(download.suggestedFilename()).toBe('capstan-plain-text.json')
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk as Uint8Array))
    const text = Buffer.concat(chunks).toString('utf8')
    expect(text).not.toContain('not-for-others')
    // JSON.parse gives `any`; what is asked of it below fails if it is anything else.
    const recording = JSON.parse(text) as { format: string; runs: { attempts: { frames: unknown[] }[] }[] }
    expect(recording.format).toBe('capstan-recording')
    expect(recording.runs[0]?.attempts[0]?.frames).toHaveLength(await user.count('packet'))
    await user.page.context().close()
  })
})
