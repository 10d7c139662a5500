import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'
import type { Stage } from '../wire/transport-stories.ts'
import { stage, STORIES } from '../wire/transport-stories.ts'
import { launchChromium } from './chromium.ts'

const HTML =
  '<!doctype html><meta charset="utf-8"><title>Transports</title><script type="module" src="/page.js"></script>'

async function bundlePage(): Promise<string> {
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: 'test/wire/transport-page.ts', formats: ['es'], fileName: 'page' },
    },
  })
  const output = Array.isArray(built) ? built.flatMap(({ output }) => output) : 'output' in built ? built.output : []
  const page = output.find((file) => file.type === 'chunk')
  if (page === undefined) throw new Error('The page of the transports was not built.')
  return page.code
}

describe('in a real browser', () => {
  const stages = new Map<string, Stage>()
  const server = createServer((request, response) => {
    // A browser sends a request again by itself when a connection it had kept turns out to be dead.
    response.setHeader('connection', 'close')
    const path = request.url?.split('?')[0] ?? '/'
    const told = stages.get(path)
    if (told) told.listener(request, response)
    else if (path === '/page.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    else response.writeHead(path === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(path === '/' ? HTML : '')
  })
  let script = ''
  let browser: Browser
  let page: Page
  let origin = ''

  beforeAll(async () => {
    script = await bundlePage()
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    // A TCP server always has an AddressInfo once it listens.
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await launchChromium()
    page = await browser.newPage()
    await page.goto(origin)
    await page.waitForFunction(() => 'hearInPage' in globalThis)
  })

  afterAll(async () => {
    await browser?.close()
    server.closeAllConnections()
    server.close()
  })

  describe.each(['fetch', 'fetch-event-source'] as const)('the %s transport', (transport) => {
    it.each(STORIES)('$name', async (story) => {
      const path = `/${transport}/${stages.size}`
      const told = stage(story)
      stages.set(path, told)
      const heard = await page.evaluate(([kind, limit, asking]) => globalThis.hearInPage(kind, limit, asking), [
        transport,
        story.maxFrameBytes,
        { url: origin + path, ...story.asking },
      ] as const)
      await told.judge(heard)
    })

    it('types a connection that the browser does not allow', async () => {
      const other = createServer((_, response) => void response.end('no CORS header'))
      await new Promise<void>((resolve) => {
        other.listen(0, '127.0.0.1', resolve)
      })
      // As above.
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/assist`
      const { error } = await page.evaluate(([kind, asked]) => globalThis.hearInPage(kind, undefined, { url: asked }), [
        transport,
        url,
      ] as const)
      other.close()
      expect(error).toMatchObject({ typed: true, kind: 'connection', code: 'network_error' })
    })
  })
})
