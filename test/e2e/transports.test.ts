import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
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
      // The server of this test has one file.
      rolldownOptions: { output: { codeSplitting: false } },
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

    describe('redirects', () => {
      /** A server that allows every page, and notes whether it was asked at all, preflights included. */
      async function openServer(redirect?: string) {
        const asked: string[] = []
        const other = createServer((request, response) => {
          asked.push(`${request.method} ${request.url}`)
          response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*')
          if (request.method === 'OPTIONS') return response.writeHead(204).end()
          if (redirect !== undefined && request.url === '/assist')
            return response.writeHead(307, { location: redirect }).end()
          return response.writeHead(200, { 'content-type': 'application/json' }).end('{"landed":true}')
        })
        await new Promise<void>((resolve) => {
          other.listen(0, '127.0.0.1', resolve)
        })
        onTestFinished(() => void other.close())
        // As above.
        return { origin: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, asked }
      }

      const hearFrom = (url: string) =>
        page.evaluate(
          ([kind, asked]) =>
            globalThis.hearInPage(kind, undefined, { url: asked, headers: { 'x-api-key': 'a key of the app' } }),
          [transport, url] as const,
        )

      const REFUSED = { typed: true, kind: 'runtime', code: 'http_error', severity: 'FATAL' }

      /** A path of the page's own server that redirects. */
      function redirecting(location: string): string {
        const path = `/redirect/${stages.size}`
        stages.set(path, {
          listener: (_request, response) => response.writeHead(307, { location }).end(),
          judge: async () => undefined,
        })
        return origin + path
      }

      it('are followed within the origin of the page', async () => {
        const landed = `/landed/${stages.size}`
        stages.set(landed, {
          listener: (request, response) =>
            response
              .writeHead(200, { 'content-type': 'application/json' })
              .end(JSON.stringify({ method: request.method, key: request.headers['x-api-key'] })),
          judge: async () => undefined,
        })
        const { text } = await hearFrom(redirecting(landed))
        expect(text).toBe('{"method":"POST","key":"a key of the app"}')
      })

      it('from the page to another origin are refused, and that origin is not asked', async () => {
        const other = await openServer()
        const { error } = await hearFrom(redirecting(`${other.origin}/assist`))
        expect(error).toMatchObject(REFUSED)
        expect(other.asked).toEqual([])
      })

      it('of an agent on another origin are refused, wherever they lead', async () => {
        const other = await openServer()
        for (const target of [`${other.origin}/landed`, '/landed', `${origin}/landed`]) {
          const agent = await openServer(target)
          const { error } = await hearFrom(`${agent.origin}/assist`)
          expect(error, target).toMatchObject(REFUSED)
          expect(agent.asked).toEqual(['OPTIONS /assist', 'POST /assist'])
        }
        expect(other.asked).toEqual([])
        // Without a redirect it answers.
        expect(await hearFrom(`${other.origin}/landed`)).toMatchObject({ text: '{"landed":true}' })
      })
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
