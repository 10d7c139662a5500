import type { Server } from 'node:http'
import { createServer } from 'node:http'
import { basename } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'
import { listen } from '../support/listen.ts'
import { kitSheets } from '../theming/sheets.ts'
import { launchChromium } from './chromium.ts'

let server: Server
let browser: Browser
let origin: string

beforeAll(async () => {
  const [{ outputFiles }, sheets, launched] = await Promise.all([
    build({
      entryPoints: [`${ROOT}test/e2e/prompt-space-page.tsx`],
      bundle: true,
      splitting: true,
      format: 'esm',
      outdir: 'out',
      write: false,
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'error',
    }),
    kitSheets(),
    launchChromium(),
  ])
  browser = launched
  const look = `${sheets['styles.css']} body { margin: 0 } main { block-size: 100dvh }`
  const files = new Map<string, readonly [type: string, content: string]>([
    ['/page.css', ['text/css', look]],
    [
      '/',
      [
        'text/html',
        '<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"><body><script type="module" src="/prompt-space-page.js"></script></body></html>',
      ],
    ],
    ...outputFiles.map(({ path, text }) => [`/${basename(path)}`, ['text/javascript', text]] as const),
  ])
  server = createServer((req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost')
    const [type, content] = files.get(pathname) ?? ['text/plain', '']
    res.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(content)
  })
  origin = await listen(server)
})

afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

async function open(width: number, height: number, lang = 'en'): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.goto(`${origin}/?lang=${lang}`)
  await page.waitForFunction(() => 'space' in window)
  return page
}

/** Everything is loaded and painted. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await painted(page)
}

/** What changed is painted, and its layout shifts are reported. */
const painted = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))
      }),
  )

const namesOf = (page: Page): Promise<readonly string[]> => page.evaluate(() => window.space.names)

/** Layout shift that a user does not notice. */
const MOST_SHIFT = 0.05

describe('a prompt that comes while an answer is written', () => {
  it.each([
    [360, 'en'],
    [768, 'en'],
    [1440, 'en'],
    [768, 'de'],
  ])('is shown whole in one step and shifts nothing, without a connection, %i px wide, in %s', async (width, lang) => {
    const page = await open(width, 800, lang)
    const rows: string[] = []
    for (const paragraphs of [1, 30]) {
      await page.evaluate((count) => window.space.begin(count), paragraphs)
      await settled(page)
      await page.context().setOffline(true)
      for (const name of await namesOf(page)) {
        await page.evaluate(() => window.space.shifts())
        await page.evaluate((kind) => window.space.ask(kind), name)
        // In the same task, or the next: nothing is fetched.
        expect(await page.evaluate(() => window.space.controls()), name).toBeGreaterThan(0)
        await painted(page)
        const shown = await page.evaluate(() => window.space.shifts())
        await page.evaluate(() => window.space.settle())
        await painted(page)
        const gone = await page.evaluate(() => window.space.shifts())
        rows.push(`${name}, ${paragraphs} paragraphs: ${shown.score.toFixed(3)} shown, ${gone.score.toFixed(3)} gone`)
        expect(shown.score, `${name}: ${shown.of.join(', ')}`).toBeLessThan(MOST_SHIFT)
        expect(gone.score, `${name}: ${gone.of.join(', ')}`).toBeLessThan(MOST_SHIFT)
      }
      await page.context().setOffline(false)
    }
    console.log(`Layout shift, ${width} px, ${lang}:\n${rows.join('\n')}`)
    await page.close()
  })

  it.each([360, 768, 1440])('moves no text of an answer that has space above it, %i px wide', async (width) => {
    const page = await open(width, 1100)
    await page.evaluate(() => window.space.begin(1))
    await settled(page)
    const before = await page.evaluate(() => window.space.textTops())
    expect(before.length).toBeGreaterThan(1)
    for (const name of ['choice', 'form', 'signIn']) {
      await page.evaluate((kind) => window.space.ask(kind), name)
      await page.waitForSelector('.cs-prompt')
      await painted(page)
      expect(await page.evaluate(() => window.space.textTops()), name).toEqual(before)
      await page.evaluate(() => window.space.settle())
      await painted(page)
    }
    await page.close()
  })
})

const VIEWPORTS = [
  [320, 256],
  [360, 225],
  [360, 380],
  [360, 640],
  [640, 360],
  [740, 412],
  [768, 1024],
  [1440, 900],
] as const

describe('the controls of a prompt', () => {
  it.each(VIEWPORTS)('are all in view and below nothing when they have the focus, %i x %i', async (width, height) => {
    const page = await open(width, height)
    await page.evaluate(() => window.space.begin(30))
    await settled(page)
    const rows: string[] = []
    for (const name of await namesOf(page)) {
      await page.evaluate((kind) => window.space.ask(kind), name)
      const card = page.locator('.cs-prompt')
      await card.waitFor()
      const controls = await page.evaluate(() => window.space.controls())
      const hidden: unknown[] = []
      // The way back is another one where the composer folds.
      for (const key of height < 384 ? ['Tab', 'Shift+Tab'] : ['Tab']) {
        let reached = 0
        if (key === 'Tab') await card.focus()
        for (;;) {
          await page.keyboard.press(key)
          if (!(await card.evaluate((element) => element.matches(':focus-within')))) break
          const focused = await page.evaluate(() => window.space.focused())
          if (focused === undefined) continue
          reached += 1
          if (focused.hiddenRows > 0) hidden.push([key, focused])
        }
        expect(reached, `${name}, ${key}`).toBe(controls)
        // Into the composer, and back from it.
        expect(await page.evaluate(() => document.activeElement?.className)).toContain(
          key === 'Tab' ? 'cs-composer-text' : 'cs-',
        )
      }
      rows.push(`${name}: ${controls} controls, ${hidden.length} hidden`)
      expect(hidden, name).toEqual([])
      await page.evaluate(() => window.space.settle())
    }
    console.log(`Covered controls, ${width} x ${height}:\n${rows.join('\n')}`)
    await page.close()
  })

  it('take the place of the composer on a page that is zoomed to 400 %, until it has the focus', async () => {
    const page = await open(360, 225)
    await page.evaluate(() => window.space.begin(30))
    await settled(page)
    const composer = page.locator('.cs-composer')
    const box = page.locator('.cs-composer-text')
    const height = (): Promise<number> => composer.evaluate((element) => element.clientHeight)
    expect(await height()).toBeGreaterThan(0)
    await page.evaluate(() => window.space.ask('approval'))
    await page.locator('.cs-prompt').waitFor()
    expect(await height()).toBe(0)
    await box.focus()
    expect(await height()).toBeGreaterThan(0)
    // Nobody who writes loses the box when a prompt comes.
    await page.evaluate(() => window.space.settle())
    await page.evaluate(() => window.space.ask('choice'))
    await page.locator('.cs-prompt').waitFor()
    expect(await box.evaluate((element) => element.matches(':focus'))).toBe(true)
    expect(await height()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Upper weir' }).focus()
    expect(await height()).toBe(0)
    await page.close()
  })
})
