import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'
import { kitSheets } from '../theming/sheets.ts'
import { launchChromium } from './chromium.ts'

/** The policy that capstan promises to keep. */
const POLICY =
  "default-src 'self'; style-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"

let server: Server
let browser: Browser
let page: Page
let origin: string

beforeAll(async () => {
  const [{ outputFiles }, sheets, launched] = await Promise.all([
    build({
      entryPoints: [`${ROOT}test/e2e/prompts-page.tsx`],
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
  const files = new Map([
    ['/page.css', ['text/css', look]],
    ['/favicon.ico', ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>']],
    [
      '/',
      [
        'text/html',
        '<!doctype html><html lang="en"><title>Page</title><link rel="stylesheet" href="/page.css"><body><script type="module" src="/prompts-page.js"></script></body></html>',
      ],
    ],
    ...outputFiles.map(({ path, text }) => [`/${basename(path)}`, ['text/javascript', text]] as const),
  ] as readonly (readonly [string, readonly [type: string, content: string]])[])
  server = createServer((req, res) => {
    const [type, content] = files.get(req.url ?? '') ?? ['text/plain', '']
    res.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': POLICY }).end(content)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A TCP server that listens has an AddressInfo.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

afterEach(async () => {
  expect(await page.evaluate(() => window.prompts.faults)).toEqual([])
  await page.close()
})

/** Opens the page, with its clock in our hands where that matters. */
async function open(width: number, holdsClock = false): Promise<void> {
  page = await browser.newPage({ viewport: { width, height: 720 } })
  if (holdsClock) await page.clock.install()
  await page.goto(origin)
  await page.waitForFunction(() => 'prompts' in window)
  // Their code is loaded with the first run.
  await page.evaluate(() => window.prompts.show())
  await page.waitForSelector('.cs-prompt')
}

describe('a prompt with the worst of intentions', () => {
  it.each([1280, 320])('is covered by nothing and makes nothing of its words, %i px wide', async (width) => {
    await open(width)
    const names = await page.evaluate(() => window.prompts.names)
    expect(names.length).toBeGreaterThan(60)
    await page.evaluate(() => void window.prompts.longTasks())
    const wrong: unknown[] = []
    const commits: (readonly [ms: number, name: string])[] = []
    const longest: (readonly [ms: number, name: string])[] = []
    let points = 0
    for (const name of names) {
      const ms = await page.evaluate((name) => window.prompts.show(name), name)
      commits.push([Math.round(ms), name])
      const look = await page.evaluate(() => window.prompts.look())
      points += look.points
      if (look.covered > 0 || look.made.length > 0 || look.isTooWide) wrong.push([name, look])
      longest.push([Math.max(0, ...(await page.evaluate(() => window.prompts.longTasks()))), name])
    }
    expect(wrong).toEqual([])
    expect(points).toBeGreaterThan(names.length * 100)
    const worst = (of: typeof commits): string =>
      of
        .toSorted(([left], [right]) => right - left)
        .slice(0, 3)
        .map(([ms, name]) => `${ms} ms (${name})`)
        .join(', ')
    console.log(
      `${names.length} prompts, ${points} points. Longest commits: ${worst(commits)}. Longest tasks: ${worst(longest)}.`,
    )
  })

  it('would be found covered', async () => {
    await open(1280)
    await page.evaluate(() => {
      const over = document.createElement('div')
      over.className = 'over'
      document.body.append(over)
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('.over { position: fixed; inset: 0 }')
      document.adoptedStyleSheets = [sheet]
    })
    const { covered, points } = await page.evaluate(() => window.prompts.look())
    expect(covered).toBe(points)
  })
})

describe('Enter on a button that allows', () => {
  const answers = (): Promise<readonly unknown[]> => page.evaluate(() => window.prompts.answers())
  const allow = (): ReturnType<Page['getByRole']> => page.getByRole('button', { name: 'Allow once' })

  it('does nothing in the first 600 milliseconds, and answers after that', async () => {
    await open(1280, true)
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.evaluate(() => void window.prompts.show())
    await allow().focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Space')
    await page.clock.runFor(590)
    await page.keyboard.press('Enter')
    await allow().click()
    expect(await answers()).toEqual([])
    await page.clock.runFor(400)
    await allow().focus()
    await page.keyboard.press('Enter')
    expect(await answers()).toEqual([
      ['answer', [expect.any(String), { type: 'option', optionId: 'Allow', digest: 'd-mail' }]],
    ])
  })

  it('does nothing when a prompt takes the place of another one', async () => {
    await open(1280, true)
    await page.clock.runFor(2000)
    await allow().focus()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.evaluate(() => void window.prompts.show())
    await allow().focus()
    await page.keyboard.press('Enter')
    expect(await answers()).toEqual([])
  })
})
