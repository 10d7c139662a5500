import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { readFile, stat } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'

// The pictures of the documents, taken from the built catalogue: `npm run screenshots`. Needs Chromium and Liberation
// Sans (fonts-liberation), so that they look alike wherever they are taken.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CATALOGUE = join(ROOT, 'storybook-static')
const IMAGES = join(ROOT, 'docs/images')
const MOST_BYTES = 150_000

const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 360, height: 740 }

const PICTURES = [
  { name: 'chat-light', story: 'whole-chat--cited-answer', theme: 'light', viewport: WIDE },
  { name: 'chat-dark', story: 'whole-chat--cited-answer', theme: 'dark', viewport: WIDE },
  { name: 'chat-narrow-light', story: 'whole-chat--cited-answer', theme: 'light', viewport: NARROW },
  { name: 'chat-narrow-dark', story: 'whole-chat--cited-answer', theme: 'dark', viewport: NARROW },
  { name: 'connection-down-light', story: 'whole-chat--reconnecting', theme: 'light', viewport: WIDE },
  { name: 'connection-down-dark', story: 'whole-chat--reconnecting', theme: 'dark', viewport: WIDE },
  { name: 'connection-down-narrow-light', story: 'whole-chat--reconnecting', theme: 'light', viewport: NARROW },
  { name: 'connection-down-narrow-dark', story: 'whole-chat--reconnecting', theme: 'dark', viewport: NARROW },
]

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The files of the catalogue, on loopback. */
async function serve() {
  const answer = async (url, response) => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://catalogue').pathname))
    try {
      const body = await readFile(join(CATALOGUE, path))
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  }
  const server = createServer(({ url = '/' }, response) => {
    void answer(url, response)
  })
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return server
}

/** How the story ended, once its play function has; undefined before. */
const outcome = () => globalThis.__STORYBOOK_ADDONS_CHANNEL__?.last('storyFinished')?.[0]?.status

await stat(join(CATALOGUE, 'iframe.html')).catch(() => {
  throw new Error('There is no built catalogue. Run `npm run build:storybook` first.')
})
const server = await serve()
const executablePath =
  process.env.CHROMIUM_PATH ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path))
const browser = await chromium.launch({
  ...(executablePath !== undefined && { executablePath }),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--hide-scrollbars'],
})
try {
  for (const { name, story, theme, viewport } of PICTURES) {
    const page = await browser.newPage({ viewport, locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' })
    await page.goto(
      `http://127.0.0.1:${server.address().port}/iframe.html?id=${story}&viewMode=story&globals=theme:${theme}`,
    )
    const status = await (await page.waitForFunction(outcome)).jsonValue()
    if (status !== 'success') throw new Error(`The story ${story} ended as "${status}", so there is no picture of it.`)
    await page.addStyleTag({
      content: ':root { --cs-sans: "Liberation Sans", sans-serif; --cs-mono: "Liberation Mono", monospace; }',
    })
    await page.evaluate(() => document.activeElement?.blur())
    const file = join(IMAGES, `${name}.png`)
    await page.screenshot({ path: file })
    const { size } = await stat(file)
    console.log(`${name}.png: ${Math.round(size / 1000)} kB`)
    if (size > MOST_BYTES) throw new Error(`${name}.png has more than ${MOST_BYTES / 1000} kB.`)
    await page.close()
  }
} finally {
  await browser.close()
  server.close()
}
