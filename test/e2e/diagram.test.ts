import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Browser, Frame, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { diagramFrame } from '../../src/diagram.ts'
import { ROOT } from '../layers/files.ts'
import { kitSheets } from '../theming/sheets.ts'
import { launchChromium } from './chromium.ts'

/** The policy that capstan promises to keep. */
const STRICT =
  "default-src 'self'; style-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; require-trusted-types-for 'script'"
const HTML =
  '<!doctype html><html lang="en"><title>Page</title><link rel="stylesheet" href="/page.css"><body><script src="/page.js"></script></body></html>'

const RIVER = ['flowchart TD', '  Spring --> Brook', '  Brook --> River', '  River --> Sea']
const fence = (source: readonly string[]): string => `\`\`\`mermaid\n${source.join('\n')}\n\`\`\`\n`

let server: Server
let browser: Browser
let origin: string
/** Every address that was asked for, but those of the page itself. */
const asked: string[] = []

beforeAll(async () => {
  const [{ outputFiles }, sheets, launched] = await Promise.all([
    build({
      entryPoints: [`${ROOT}test/e2e/diagram-page.tsx`],
      bundle: true,
      write: false,
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'error',
    }),
    kitSheets(),
    launchChromium(),
  ])
  browser = launched
  const files: Readonly<Record<string, readonly [type: string, content: string | Buffer]>> = {
    '/': ['text/html', HTML],
    '/strict': ['text/html', HTML],
    '/frame': ['text/html', diagramFrame('/mermaid.js')],
    '/broken-frame': ['text/html', diagramFrame('/none.js')],
    '/page.css': [
      'text/css',
      `:root { color-scheme: light dark } ${sheets['styles.css']} ${readFileSync(`${ROOT}src/components/diagram/diagram.css`, 'utf8')}`,
    ],
    '/page.js': ['text/javascript', outputFiles[0]?.text ?? ''],
    '/mermaid.js': ['text/javascript', readFileSync(`${ROOT}node_modules/mermaid/dist/mermaid.min.js`)],
    '/favicon.ico': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  }
  server = createServer((req, res) => {
    const path = new URL(req.url ?? '/', 'http://page').pathname
    const file = files[path]
    if (file === undefined) asked.push(path)
    const [type, content] = file ?? ['text/plain', '']
    res
      .writeHead(file ? 200 : 404, {
        'content-type': `${type}; charset=utf-8`,
        ...(path === '/strict' && { 'content-security-policy': STRICT }),
      })
      .end(content)
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

async function open(path: string, width = 800, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
  page.on('dialog', (dialog) => {
    asked.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  const isElsewhere = (url: string): boolean => !url.startsWith(origin) && !/^(?:data|about|blob):/.test(url)
  page.on('requestfinished', (request) => isElsewhere(request.url()) && asked.push(request.url()))
  // What a policy refuses is reported as a request too, and never leaves the browser.
  page.on('requestfailed', (request) => {
    if (isElsewhere(request.url()) && request.failure()?.errorText !== 'csp') asked.push(request.url())
  })
  await page.goto(origin + path)
  return page
}

const show = (page: Page, text: string, live = false): Promise<void> =>
  page.evaluate(([words, grows]) => window.diagrams.show(words, grows), [text, live] as const)
const stateOf = (page: Page): Promise<string | null> => page.locator('.cs-diagram').first().getAttribute('data-state')

async function pictureOf(page: Page): Promise<Frame> {
  const frame = await (await page.locator('.cs-diagram iframe').first().elementHandle())?.contentFrame()
  if (!frame) throw new Error('There is no frame')
  return frame
}

describe.each([
  ['its document in the page', '/'],
  ['its document from the server, on a page with a strict policy', '/strict?frame'],
])('a diagram, with %s', (_, path) => {
  it('is drawn in a frame without an origin, as large as it is', async () => {
    const page = await open(path)
    await show(page, fence(RIVER))
    await expect.poll(() => stateOf(page), { timeout: 60_000 }).toBe('complete')
    const frame = await pictureOf(page)
    expect(await frame.locator('#picture svg').count()).toBe(1)
    expect(await frame.locator('#picture').textContent()).toContain('Brook')
    expect(await frame.evaluate(() => self.origin)).toBe('null')
    const iframe = page.locator('.cs-diagram iframe')
    expect(await iframe.getAttribute('sandbox')).toBe('allow-scripts')
    expect(await iframe.getAttribute('style')).toBeNull()
    expect(await page.getByTitle('Diagram').count()).toBe(1)
    const [box, picture] = [await iframe.boundingBox(), await frame.locator('#picture svg').boundingBox()]
    expect(Math.abs((box?.height ?? 0) - (picture?.height ?? 1000))).toBeLessThanOrEqual(2)
    expect(await page.evaluate(() => window.diagrams.violations)).toEqual([])
    await page.close()
  })

  it('keeps its last picture while its source grows, and its place gets no lower', async () => {
    const page = await open(path)
    await show(page, `\`\`\`mermaid\n${RIVER.slice(0, 2).join('\n')}\n`, true)
    await expect.poll(() => stateOf(page), { timeout: 60_000 }).toBe('drawing')
    const frame = await pictureOf(page)
    let before = 0
    const text = `\`\`\`mermaid\n${[...RIVER, '  Sea --> {{{'].join('\n')}\n`
    for (let end = text.indexOf('Brook\n') + 6; end <= text.length; end += 3) {
      await show(page, text.slice(0, end), true)
      expect(await stateOf(page)).toBe('drawing')
      expect(await frame.locator('#picture svg').count()).toBe(1)
      const height = (await page.locator('.cs-diagram iframe').boundingBox())?.height ?? 0
      expect(height).toBeGreaterThanOrEqual(before)
      before = height
    }
    await expect.poll(() => frame.locator('#picture').textContent(), { timeout: 60_000 }).toContain('Sea')
    await show(page, fence(RIVER))
    await expect.poll(() => stateOf(page), { timeout: 60_000 }).toBe('complete')
    await page.close()
  })
})

describe('a diagram that cannot be drawn', () => {
  it('is its source with a note, when it is not a diagram', async () => {
    const page = await open('/')
    await show(page, fence(['flowchart TD', '  a --> {{{']))
    await expect.poll(() => stateOf(page), { timeout: 60_000 }).toBe('failed')
    expect(await page.locator('.cs-diagram pre').textContent()).toBe('flowchart TD\n  a --> {{{')
    expect(await page.locator('.cs-diagram-note').textContent()).toContain('has an error')
    await page.close()
  })

  it.each(['/?frame=/broken-frame', '/?frame=/none.html&timeout=1500'])(
    'is its source with a note, when mermaid or the frame is not there: %s',
    async (path) => {
      const page = await open(path)
      await show(page, fence(RIVER))
      await expect.poll(() => stateOf(page), { timeout: 60_000 }).toBe('failed')
      expect(await page.locator('.cs-diagram pre').textContent()).toBe(RIVER.join('\n'))
      expect(await page.locator('.cs-diagram iframe').count()).toBe(0)
      await page.close()
      asked.length = 0
    },
  )
})

describe('the source of a diagram', () => {
  it('is a press away, and the picture again', async () => {
    const page = await open('/')
    await show(page, fence(RIVER))
    await expect.poll(() => stateOf(page), { timeout: 60_000 }).toBe('complete')
    expect(await page.locator('.cs-diagram pre').count()).toBe(0)
    await page.getByRole('button', { name: 'Show source' }).click()
    expect(await page.locator('.cs-diagram pre').textContent()).toBe(RIVER.join('\n'))
    await page.getByRole('button', { name: 'Show diagram' }).click()
    expect(await page.locator('.cs-diagram pre').count()).toBe(0)
    expect(await (await pictureOf(page)).locator('#picture svg').count()).toBe(1)
    await page.close()
  })
})

describe('the scheme of the page', () => {
  it('is that of the picture, and is followed', async () => {
    const page = await open('/', 800, 'dark')
    await show(page, fence(RIVER))
    await expect.poll(() => stateOf(page), { timeout: 60_000 }).toBe('complete')
    const frame = await pictureOf(page)
    const scheme = (): Promise<string> => frame.evaluate(() => document.documentElement.style.colorScheme)
    await expect.poll(scheme).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(scheme).toBe('light')
    await page.close()
  })
})

/** A colour of the theme, as a browser computes it. */
const colorOf = (page: Page, token: string): Promise<string> =>
  page.evaluate((name) => {
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d')
    const probe = document.body.appendChild(document.createElement('p'))
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`.probe { color: var(${name}) }`)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    probe.className = 'probe'
    const { color } = getComputedStyle(probe)
    probe.remove()
    if (context === null) throw new Error('This browser has no canvas.')
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
    return `rgb(${[...context.getImageData(0, 0, 1, 1).data].slice(0, 3).join(', ')})`
  }, token)

describe('the colours of the theme', () => {
  it.each(['light', 'dark'] as const)(
    'are those of the picture, %s, and those of an app that has its own',
    async (scheme) => {
      const page = await open('/', 800, scheme)
      await show(page, fence(RIVER))
      await expect.poll(() => stateOf(page), { timeout: 60_000 }).toBe('complete')
      const frame = await pictureOf(page)
      const drawn = (): Promise<readonly string[]> =>
        frame.evaluate(() => {
          const style = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.body)
          const node = style('#picture .node rect')
          const edge = style('#picture .flowchart-link').stroke
          return [node.fill, node.stroke, style('#picture .node text').fill, edge]
        })
      const wanted = (): Promise<readonly string[]> =>
        Promise.all(['--cs-accent-soft', '--cs-accent', '--cs-ink', '--cs-ink-2'].map((token) => colorOf(page, token)))
      const before = await wanted()
      await expect.poll(drawn, { timeout: 20_000 }).toEqual(before)
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync('.own { --cs-accent-soft: rgb(240, 200, 10); --cs-ink: rgb(20, 40, 10) }')
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
        document.documentElement.className = 'own'
      })
      const after = await wanted()
      expect(after).not.toEqual(before)
      await expect.poll(drawn, { timeout: 20_000 }).toEqual(after)
      await page.close()
    },
  )
})

describe('a diagram that moves', () => {
  it('is still where the reader asked for less motion', async () => {
    const page = await open('/')
    await show(page, fence(['flowchart LR', '  a e1@--> b', '  e1@{ animate: true }']))
    await expect.poll(() => stateOf(page), { timeout: 60_000 }).toBe('complete')
    const frame = await pictureOf(page)
    const moving = (): Promise<number> => frame.evaluate(() => document.getAnimations().length)
    expect(await moving()).toBeGreaterThan(0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await expect.poll(moving).toBe(0)
    await page.close()
  })
})

describe('diagrams far below', () => {
  it('have no frame before they come near the view', async () => {
    const page = await open('/')
    await show(page, `${'far\n\n'.repeat(100)}${fence(RIVER)}`)
    await page.locator('.cs-diagram').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    await page.locator('.cs-diagram').scrollIntoViewIfNeeded()
    await expect.poll(() => stateOf(page), { timeout: 60_000 }).toBe('complete')
    await page.close()
  })
})

const ATTACKS: readonly string[] = [
  'flowchart TD\n  a["<img src=https://evil.example/x.png onerror=alert(1)>"] --> b',
  'flowchart TD\n  a["<script>alert(1)</script>"] --> b',
  'flowchart TD\n  a --> b\n  click a "https://evil.example/" _top',
  'flowchart TD\n  a --> b\n  click a href "javascript:alert(1)"',
  'flowchart TD\n  a --> b\n  click a call alert(1)',
  '%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}}}%%\nflowchart TD\n  a["<iframe srcdoc=\'<script>parent.postMessage(1)</script>\'></iframe><img src=x onerror=alert(1)>"] --> b',
  '%%{init: {"themeCSS": "@import url(https://evil.example/a.css); * { background: url(https://evil.example/b) }"}}%%\nflowchart TD\n  a --> b',
  '%%{init: {"theme": "base", "themeVariables": {"primaryColor": "red; } @import url(https://evil.example/c.css); {"}}}%%\nflowchart TD\n  a --> b',
  '%%{init: {"__proto__": {"securityLevel": "loose"}, "constructor": {"prototype": {"x": 1}}}}%%\nflowchart TD\n  a --> b',
  'flowchart TD\n  a@{ img: "https://evil.example/d.png", label: "x" } --> b',
  'flowchart TD\n  a["<meta http-equiv=refresh content=\'0;url=https://evil.example/\'>"] --> b',
  'sequenceDiagram\n  link Alice: Go @ javascript:alert(1)\n  Alice->>Bob: <svg onload=alert(1)>',
  'classDiagram\n  class A\n  link A "https://evil.example/" "tip"\n  A : <img src=x onerror=alert(1)>',
  'gantt\n  title <style>@import url(https://evil.example/e.css)</style>\n  section S\n  T :a, 2026-01-01, 1d\n  click a href "https://evil.example/"',
  '</script><script>alert(1)</script>',
  "');parent.location='https://evil.example/'//",
]

describe('whatever an agent writes', () => {
  it.each(ATTACKS.map((source) => [source]))('runs nothing, asks nobody, and leads nowhere: %s', async (source) => {
    const page = await open('/strict?frame')
    asked.length = 0
    await show(page, fence([source]))
    await expect.poll(() => stateOf(page), { timeout: 60_000 }).toMatch(/complete|failed/)
    const frame = (await page.locator('.cs-diagram iframe').count()) > 0 ? await pictureOf(page) : undefined
    if ((await stateOf(page)) === 'complete' && frame) {
      expect(
        await frame
          .locator('#picture :is(script, iframe, object, embed, meta, [href^="http"], [onerror], [onload])')
          .count(),
      ).toBe(0)
      expect(await frame.locator('a[href]').count()).toBe(0)
      for (const part of await frame.locator('#picture a, #picture .node').all()) await part.dispatchEvent('click')
    }
    expect(page.url()).toBe(`${origin}/strict?frame`)
    expect(page.frames()).toHaveLength(2)
    expect(frame === undefined || frame.url() === `${origin}/frame`).toBe(true)
    expect(asked).toEqual([])
    expect(await page.evaluate(() => window.diagrams.violations)).toEqual([])
    await page.close()
  })

  it('does nothing in a document with an origin: the frame opened by itself draws for nobody', async () => {
    const page = await open('/frame')
    const answer = await page.evaluate(
      () =>
        new Promise<unknown>((resolve) => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', ({ data }) => resolve(data))
          port1.start()
          window.postMessage('capstan-diagram', '*', [port2])
          port1.postMessage({ id: 1, source: 'flowchart TD\n a --> b', theme: 'light' })
          setTimeout(() => resolve('silence'), 500)
        }),
    )
    expect(answer).toBe('silence')
    await page.close()
  })
})
