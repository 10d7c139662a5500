import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import type { Browser } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlayground } from '../../playground/server/playground.ts'
import { ROOT } from '../layers/files.ts'
import { instantPace } from '../playground/instant-pace.ts'
import { BenchPage } from './bench-page.ts'
import { listen } from '../support/listen.ts'
import { launchChromium } from './chromium.ts'

/** As strict as a careful host would have it: nothing inline, nothing from elsewhere, no markup from strings. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

describe('the built playground under a strict policy', () => {
  const playground = createPlayground({ pages: [], pace: instantPace })
  let folder: string
  let server: Server
  let browser: Browser
  let origin: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-built-'))
    await build({
      root: ROOT,
      configFile: join(ROOT, 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: true },
    })
    server = createServer((req, res) => {
      playground.handle(req, res, () => {
        const path = normalize(new URL(req.url ?? '/', 'http://localhost').pathname)
        readFile(join(folder, path === '/' ? 'playground/index.html' : path)).then(
          (bytes) =>
            res
              .writeHead(200, {
                'content-type': TYPES[extname(path) || '.html'] ?? 'application/octet-stream',
                'content-security-policy': POLICY,
              })
              .end(bytes),
          () => res.writeHead(404).end(),
        )
      })
    })
    origin = await listen(server)
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser?.close()
    playground.dispose()
    server?.closeAllConnections()
    server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('works, and breaks none of its rules', async () => {
    const user = new BenchPage(await browser.newPage())
    await user.visit(origin, { markdown: true })
    await user.choose('Thought and citations')
    await user.ends('complete')
    await user.choose('Markdown')
    await user.ends('complete')
    await user.answers().getByRole('button', { name: 'Load image' }).click()
    await user.answers().getByRole('img', { name: 'A river with four bends' }).waitFor()
    await user.choose('Cut mid-packet')
    await user.ends('complete')
    await user.choose('Data and artifact')
    await user.ends('complete')
    await user.page.getByRole('slider', { name: 'Latency' }).fill('40')
    await user.choose('Attach a file')
    await user.ends('complete')
    await user.press('Timeline')
    await user.press('Dock below the chat')
    await user.page.getByRole('separator', { name: 'Height of the inspector' }).press('ArrowUp')
    await user.choose('Earlier messages')
    await user.page.getByText('What did you see on day 120?').waitFor()
    await user.press('Settings')
    await user.page.getByText('Operational').waitFor()
    expect(user.problems).toEqual([])
  })
})
