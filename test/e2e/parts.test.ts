import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'
import { runNode } from '../package/run-node.ts'
import { listen } from '../support/listen.ts'
import { launchChromium } from './chromium.ts'

// The package as an app gets it, from dist: a browser fetches the components of parts, a server has them (decision 062).

/** No markup from strings: hydrating what a server sent sets none. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; require-trusted-types-for 'script'"

/** The project's own tsconfig would lead to the sources. */
const BUNDLED = { bundle: true, format: 'esm', tsconfigRaw: {}, logLevel: 'error' } as const

let folder: string
let browser: Browser
let server: Server
let origin: string
let sent: string
/** Lets the code of parts through; until then it is on its way. */
let give = (): void => {}
let given: Promise<void> = Promise.resolve()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-parts-'))
  await build({
    ...BUNDLED,
    entryPoints: [join(ROOT, 'test/e2e/parts-page.ts')],
    outdir: folder,
    splitting: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const { outputFiles } = await build({
    stdin: {
      contents: `import { renderToString } from 'react-dom/server'; import { createPage } from './test/e2e/parts-page.ts'; process.stdout.write(renderToString(createPage(true)))`,
      resolveDir: ROOT,
    },
    ...BUNDLED,
    write: false,
    platform: 'node',
    packages: 'external',
  })
  sent = await runNode(outputFiles[0]?.text ?? '')
  server = createServer((req, res) => {
    const path = new URL(req.url ?? '/', 'http://localhost').pathname
    const headers = { 'content-security-policy': POLICY }
    if (path === '/sent' || path === '/empty') {
      res.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' })
      res.end(
        `<!doctype html><div id="root">${path === '/sent' ? sent : ''}</div><script type="module" src="/parts-page.js"></script>`,
      )
      return
    }
    const wait = path.includes('part-components') ? given : Promise.resolve()
    wait
      .then(() => readFile(join(folder, path)))
      .then(
        (bytes) => res.writeHead(200, { ...headers, 'content-type': 'text/javascript' }).end(bytes),
        () => res.writeHead(404).end(),
      )
  })
  origin = await listen(server)
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(path: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(origin + path)
  return page
}

const isAlive = (page: Page, selector: string): Promise<boolean> =>
  page.locator(selector).evaluate((element) => Object.keys(element).some((key) => key.startsWith('__react')))

describe('the parts of an answer in a browser', () => {
  it('are shown although the connection broke after the page had loaded', async () => {
    given = Promise.resolve()
    const page = await open('/empty')
    await page.getByText('See the gauge').waitFor()
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await page.evaluate(() => window.addParts())
    await page.getByText('flow').waitFor()
    await page.getByText('On rivers').waitFor()
    await page.close()
  })

  it('stay as a server sent them until their code is here, and then come alive', async () => {
    given = new Promise((resolve) => {
      give = resolve
    })
    const page = await open('/sent')
    await expect.poll(() => isAlive(page, '.cs-composer')).toBe(true)
    expect(await page.locator('article .cs-data').textContent()).toBe('flow3')
    expect(await isAlive(page, 'article .cs-data')).toBe(false)
    give()
    await expect.poll(() => isAlive(page, 'article .cs-data')).toBe(true)
    expect(await page.locator('article .cs-data').textContent()).toBe('flow3')
    expect(await page.evaluate(() => window.recovered)).toEqual([])
    await page.close()
  })
})
