import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../e2e/chromium.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

interface Entry {
  readonly id: string
  readonly type: 'docs' | 'story'
  readonly title: string
}

describe('the built catalogue', () => {
  let folder: string
  let server: Server
  let browser: Browser
  let origin: string
  let entries: readonly Entry[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-catalogue-'))
    await promisify(execFile)('npm', ['run', 'build:storybook', '--', '--output-dir', folder, '--quiet'])
    server = createServer((request, response) => {
      const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://catalogue').pathname))
      readFile(join(folder, path === '/' ? 'index.html' : path)).then(
        (bytes) =>
          response
            .writeHead(200, { 'content-type': TYPES[extname(path) || '.html'] ?? 'application/octet-stream' })
            .end(bytes),
        () => response.writeHead(404).end(),
      )
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    // A TCP server that listens has an AddressInfo.
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    // Written by Storybook a moment ago.
    entries = Object.values(
      (
        JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')) as {
          readonly entries: Readonly<Record<string, Entry>>
        }
      ).entries,
    )
    browser = await launchChromium()
  }, 300_000)

  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** A page that notes whom it asks, beside this server. */
  async function open(path: string): Promise<{ readonly page: Page; readonly outside: readonly string[] }> {
    const page = await browser.newPage()
    const outside: string[] = []
    page.on('request', (request) => {
      if (/^(?:https?|wss?):/.test(request.url()) && !request.url().startsWith(origin)) outside.push(request.url())
    })
    await page.goto(`${origin}${path}`)
    return { page, outside }
  }

  it('keeps the colours as they are written: none asks the variables that older browsers get', async () => {
    const sheets = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.css'))
    const styles = (await Promise.all(sheets.map((name) => readFile(join(folder, 'assets', name), 'utf8')))).join('\n')
    expect(styles).toContain('light-dark(')
    expect(styles).not.toContain('var(--lightningcss')
  })

  it('opens on its first page, and makes no request to another origin', async () => {
    const { page, outside } = await open('/')
    await page.frameLocator('#storybook-preview-iframe').getByRole('heading', { name: 'capstan', level: 1 }).waitFor()
    expect(outside).toEqual([])
    await page.close()
  })

  it('has a docs page for every title', () => {
    const documented = new Set(entries.flatMap(({ type, title }) => (type === 'docs' ? [title] : [])))
    expect([...new Set(entries.map(({ title }) => title))].filter((title) => !documented.has(title))).toEqual([])
  })

  it('shows what a component is, its props with their sentences, and its stories', async () => {
    const { page, outside } = await open('/iframe.html?viewMode=docs&id=parts-error-banner--docs')
    await page.getByRole('heading', { name: 'Error banner', level: 1 }).waitFor()
    const row = page.getByRole('row').filter({ hasText: 'requestId' }).first()
    await row.waitFor()
    expect((await row.textContent()) ?? '').toMatch(/requestId.*\w+ \w+ \w+.*string/s)
    await page.locator('.cs-banner').first().waitFor()
    expect(outside).toEqual([])
    await page.close()
  })

  it('plays a whole chat without a network', async () => {
    const { page, outside } = await open('/iframe.html?viewMode=story&id=whole-chat--cut-and-healed')
    await page.getByText('From then on each bend feeds the next.').waitFor()
    expect(outside).toEqual([])
    await page.close()
  })
})
