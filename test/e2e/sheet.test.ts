import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { build, type BuildOptions } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differences, openGallery, propertiesOf, readLooks } from '../theming/looks.ts'
import { galleryScript, kitSheets, writtenSheet } from '../theming/sheets.ts'
import { launchChromium } from './chromium.ts'

// The sheet of capstan as pages get it: gathered by the library's build, and perhaps rewritten by the build of the page.

let browser: Browser
let written: string
let styles: string
let shadcn: string

beforeAll(async () => {
  browser = await launchChromium()
  written = await writtenSheet()
  ;({ 'styles.css': styles, 'shadcn.css': shadcn } = await kitSheets())
})

afterAll(() => browser?.close())

describe('the sheet that says each condition once', () => {
  let script: string
  beforeAll(async () => {
    script = await galleryScript()
  })

  it.each<[string, BrowserContextOptions, { readonly media?: 'print' }]>([
    ['on a phone', { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true }, {}],
    [
      'on a very wide screen, with motion',
      { viewport: { width: 1600, height: 900 }, reducedMotion: 'no-preference' },
      {},
    ],
    ['in forced colours', { forcedColors: 'active' }, {}],
    ['on paper', {}, { media: 'print' }],
  ])('looks as it is written %s', async (_, guise, { media }) => {
    const looksOf = async (sheet: string): Promise<Awaited<ReturnType<typeof readLooks>>> => {
      const page = await openGallery(
        browser,
        [sheet, '*, ::before, ::after { animation-play-state: paused !important; }'],
        script,
        guise,
      )
      if (media) await page.emulateMedia({ media })
      const looks = await readLooks(page, await propertiesOf(page, written))
      await page.close()
      return looks
    }
    expect(differences(await looksOf(written), await looksOf(styles))).toEqual([])
  })
})

/** The settings docs/theming.md gives for pages with a theme inside of a page, or right to left in other languages. */
const OF_THE_GUIDE: BuildOptions = { cssTarget: ['chrome123', 'safari17.5', 'firefox120'] }

/** What Vite's production build makes of a page that imports capstan's sheet, and perhaps has one of its own. */
async function builtBy(options: BuildOptions, own: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-page-'))
  try {
    await Promise.all([
      writeFile(join(folder, 'index.html'), '<!doctype html><script type="module" src="./page.js"></script>'),
      writeFile(join(folder, 'page.js'), "import './styles.css'\nimport './own.css'\n"),
      writeFile(join(folder, 'styles.css'), styles),
      writeFile(join(folder, 'own.css'), own),
    ])
    await build({ root: folder, configFile: false, logLevel: 'error', build: { ...options, outDir: 'out' } })
    const assets = join(folder, 'out/assets')
    const sheets = (await readdir(assets)).filter((name) => name.endsWith('.css'))
    return (await Promise.all(sheets.map((name) => readFile(join(assets, name), 'utf8')))).join('\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const FOLD =
  '<details class="cs-fold" open><summary class="cs-fold-summary"><svg class="cs-icon cs-chevron"></svg></summary></details>'
const BUBBLE = '<p class="cs-bubble">River</p>'

/** A page with a bubble on the outside, and one inside of an element. */
async function openPage(sheet: string, system: 'light' | 'dark', root = '', inner = ''): Promise<Page> {
  const page = await browser.newPage({ colorScheme: system, reducedMotion: 'reduce' })
  await page.setContent(
    `<!doctype html><html lang="en" ${root}><body><div class="cs-part">${BUBBLE}</div><div id="inner" ${inner}><div class="cs-part">${BUBBLE}${FOLD}</div></div></body></html>`,
  )
  await page.addStyleTag({ content: sheet })
  return page
}

interface Bubble {
  readonly ground: string
  readonly ink: string
  readonly scheme: string
}

async function bubbleOf(page: Page, within: string): Promise<Bubble> {
  return page.locator(`${within} > .cs-part .cs-bubble`).evaluate((bubble) => {
    const { backgroundColor: ground, color: ink, colorScheme: scheme } = getComputedStyle(bubble)
    return { ground, ink, scheme }
  })
}

const THEMES = ['none', 'light', 'dark']
const SYSTEMS = ['light', 'dark'] as const

describe.each([
  ['that says nothing of schemes', ''],
  ['that follows the system', ':root { color-scheme: light dark; }'],
  ['that is dark', ':root { color-scheme: dark; }'],
])('a page %s, built by Vite with its default settings', (_, own) => {
  let built: string
  let pages: readonly Page[]
  beforeAll(async () => {
    built = await builtBy({}, own)
    pages = [await openPage(`${styles}\n${own}`, 'light'), await openPage(built, 'light')]
  })
  afterAll(() => Promise.all(pages.map((page) => page.close())))

  it('has rewritten colours', () => {
    expect(built).toContain('var(--lightningcss-light,')
  })

  it.each(THEMES.flatMap((theme) => SYSTEMS.map((system) => [theme, system] as const)))(
    'has the colours of capstan with theme %s on its root, on a system that is %s',
    async (theme, system) => {
      const bubbles: Bubble[] = []
      for (const page of pages) {
        await page.emulateMedia({ colorScheme: system })
        await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme)
        bubbles.push(await bubbleOf(page, 'body'))
      }
      const [expected, rewritten] = bubbles
      expect(rewritten).toEqual(expected)
      if (theme !== 'none') expect(expected?.scheme).toBe(theme)
    },
  )
})

describe('a page that marks dark mode by a class, built by Vite with its default settings', () => {
  it.each([
    ['sets color-scheme', () => '.dark { color-scheme: dark; }'],
    ['has the sheet for shadcn', () => shadcn],
  ])('has the dark colours of capstan when it %s', async (_, own) => {
    const sheet = `${own()}\n.cs-bubble { background: var(--cs-caution-soft); color: var(--cs-caution); }`
    const [plain, light, dark] = await Promise.all([
      openPage(`${styles}\n${sheet}`, 'light', 'class="dark"'),
      openPage(await builtBy({}, sheet), 'light'),
      openPage(await builtBy({}, sheet), 'light', 'class="dark"'),
    ])
    expect(await bubbleOf(dark, 'body')).toEqual(await bubbleOf(plain, 'body'))
    expect((await bubbleOf(dark, 'body')).ground).not.toBe((await bubbleOf(light, 'body')).ground)
    await Promise.all([plain.close(), light.close(), dark.close()])
  })
})

describe('a theme inside of a page, and a part of it that runs from right to left', () => {
  const INNER = 'data-theme="dark" dir="rtl"'
  const ALONE = ':root { color-scheme: light dark; }'
  const chevronOf = (page: Page): Promise<string> =>
    page.locator('.cs-chevron').evaluate((chevron) => getComputedStyle(chevron).rotate)

  it('are right in a build with the target of the guide', async () => {
    const built = await builtBy(OF_THE_GUIDE, ALONE)
    const [plain, page] = await Promise.all([
      openPage(`${styles}\n${ALONE}`, 'light', '', INNER),
      openPage(built, 'light', '', INNER),
    ])
    expect(await bubbleOf(page, '#inner')).toEqual(await bubbleOf(plain, '#inner'))
    expect((await bubbleOf(page, '#inner')).ground).not.toBe((await bubbleOf(page, 'body')).ground)
    expect(await chevronOf(page)).toBe('-90deg')
    await Promise.all([plain.close(), page.close()])
  })

  it('are lost with the default settings, which is why the guide names a target', async () => {
    const page = await openPage(await builtBy({}, ALONE), 'light', '', INNER)
    expect((await bubbleOf(page, '#inner')).ground).toBe((await bubbleOf(page, 'body')).ground)
    expect(await chevronOf(page)).toBe('90deg')
    await page.close()
  })

  it('keep the direction of Arabic with the default settings', async () => {
    const page = await openPage(await builtBy({}, ALONE), 'light', '', 'lang="ar" dir="rtl"')
    expect(await chevronOf(page)).toBe('-90deg')
    await page.close()
  })
})
