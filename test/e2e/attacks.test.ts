import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAttacks } from '../conformance/attack-data.ts'
import { ROOT } from '../layers/files.ts'
import { kitSheets } from '../theming/sheets.ts'
import type { Grown } from './attack-page.tsx'
import { launchChromium } from './chromium.ts'

/** The policy that capstan promises to keep. */
const POLICY =
  "default-src 'self'; style-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; require-trusted-types-for 'script'"

const attacks = loadAttacks()
const payloads = (attacks ?? []).map(({ payload }) => payload)
/** Texts of about the same length grow side by side. */
const byLength = payloads.toSorted((a, b) => a.length - b.length)
const short = byLength.filter(({ length }) => length <= 7_000)
const long = byLength.filter(({ length }) => length > 7_000)

let server: Server
let browser: Browser
let origin: string

beforeAll(async () => {
  const script = build({
    entryPoints: [`${ROOT}test/e2e/attack-page.tsx`],
    bundle: true,
    write: false,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  const [{ outputFiles }, sheets, launched] = await Promise.all([script, kitSheets(), launchChromium()])
  browser = launched
  const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
    '/': [
      'text/html',
      '<!doctype html><html lang="en"><title>Page</title><link rel="stylesheet" href="/page.css"><body><script src="/page.js"></script></body></html>',
    ],
    '/page.css': ['text/css', `${sheets['styles.css']} main { padding: 1rem }`],
    '/page.js': ['text/javascript', outputFiles[0]?.text ?? ''],
    // No icon in a data URL: the policy refuses it, at whatever moment the browser comes to load it.
    '/favicon.ico': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  }
  server = createServer((req, res) => {
    const [type, content] = files[req.url ?? ''] ?? ['text/plain', '']
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

interface Watched {
  readonly page: Page
  /** Everything the page asked for, said or did beside what it was asked to show. */
  readonly seen: readonly string[]
  /** All faults so far: the browser's and the page's own. */
  faults(): Promise<readonly string[]>
}

async function open(): Promise<Watched> {
  const page = await browser.newPage()
  const seen: string[] = []
  await page.goto(origin)
  page.on(
    'console',
    (line) => ['error', 'warning'].includes(line.type()) && seen.push(`console: ${line.text().slice(0, 200)}`),
  )
  page.on('pageerror', (error) => seen.push(`error: ${String(error).slice(0, 200)}`))
  page.on('request', (request) => seen.push(`request: ${request.url().slice(0, 100)}`))
  page.on('framenavigated', (frame) => seen.push(`navigation: ${frame.url().slice(0, 100)}`))
  page.on('popup', () => seen.push('a window'))
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message().slice(0, 100)}`)
    void dialog.dismiss()
  })
  return {
    page,
    seen,
    async faults() {
      // What was asked for by the last texts has time to be answered.
      await page.waitForLoadState('networkidle')
      return [...new Set([...seen, ...(await page.evaluate(() => window.attacks.faults))])]
    },
  }
}

const BATCH = 75
const inBatches = (texts: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(texts.length / BATCH) }, (_, at) => texts.slice(at * BATCH, (at + 1) * BATCH))

async function grown(page: Page, texts: readonly string[]): Promise<Grown> {
  const sum = { shown: 0, cuts: 0, changes: 0 }
  for (const batch of inBatches(texts)) {
    const { shown, cuts, changes } = await page.evaluate((some) => window.attacks.grow(some), batch)
    sum.shown += shown
    sum.cuts += cuts
    sum.changes += changes
  }
  return sum
}

/** Only a hang is a failure: how long a busy machine takes says nothing. */
const LONG = 180_000

describe.skipIf(attacks === undefined)('hostile text on a page under a strict policy', () => {
  it(
    'does nothing in an answer, a source, a picture, a file, a table of data, a tool or an error',
    { timeout: LONG },
    async () => {
      const { page, faults } = await open()
      const texts = payloads.filter(({ length }) => length <= 2_000)
      let shown = 0
      for (const batch of inBatches(texts)) shown += await page.evaluate((some) => window.attacks.show(some), batch)
      expect(await faults()).toEqual([])
      expect(shown).toBe(texts.length)
      await page.close()
    },
  )

  it('does nothing in an answer that comes one code unit at a time', { timeout: LONG }, async () => {
    const { page, faults } = await open()
    const { shown, cuts, changes } = await grown(page, short)
    expect(await faults()).toEqual([])
    expect(shown).toBe(short.length)
    expect(cuts).toBe(short.reduce((sum, { length }) => sum + length, 0))
    expect(changes).toBeGreaterThan(10 * short.length)
    await page.close()
  })

  it('does nothing when it is very long, and comes so at its beginning and its end', { timeout: LONG }, async () => {
    const { page, faults } = await open()
    const { shown, cuts } = await grown(page, long)
    expect(await faults()).toEqual([])
    expect(shown).toBe(long.length)
    expect(cuts).toBeGreaterThan(580 * long.length)
    await page.close()
  })

  it.each([
    ['markup', /require-trusted-types-for/],
    ['picture', /elsewhere\.invalid/],
    ['script', /onclick/],
    ['attribute', /a style/],
    ['link', /href javascript:/],
    ['passing', /<form>/],
  ] as const)('would be seen: %s', async (kind, told) => {
    const { page, faults } = await open()
    expect(await faults()).toEqual([])
    // Trusted Types throw at once.
    await page.evaluate((planted) => window.attacks.plant(planted), kind).catch(() => {})
    expect((await faults()).join('\n')).toMatch(told)
    await page.close()
  })
})
