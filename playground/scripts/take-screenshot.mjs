// Takes the pictures of the README, light and dark: `node playground/scripts/take-screenshot.mjs [folder]`, after `npm ci`.
// Needs Chromium (CHROMIUM_PATH, or a usual place). Liberation Sans makes them look as the pictures in the repository do.
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = process.argv[2] ?? `${root}docs/images`
const executablePath =
  process.env.CHROMIUM_PATH ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path))
const MOST_BYTES = 400_000
const PATIENCE_MS = 90_000
const QUESTION = 'How long does it wait before it tries again?'
/** Where the connection breaks: early enough that much is left to be said. */
const CUT_AFTER_BYTES = 3_300
const PAUSE_MS = 500

/**
 * A connection that broke in the middle of an answer and healed, told in the log and over time.
 * @param {import('playwright').Page} page
 * @param {string} url
 * @param {string} file
 */
async function takePicture(page, url, file) {
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(url)
  await page.getByRole('button', { name: 'Timeline' }).press('Enter')
  await page.getByRole('button', { name: 'Dock below the chat' }).press('Enter')
  const message = page.getByRole('textbox', { name: 'Message' })
  await page.request.post(`${url}__network`, { data: { action: 'cut', afterBytes: CUT_AFTER_BYTES } })
  await message.fill(QUESTION)
  await message.press('Enter')
  await page.locator('.pg-log-note[data-tone="bad"]').waitFor()
  // The pause is up to three seconds by chance: long enough to be seen, and no longer. It may also have ended by then.
  await page.waitForTimeout(PAUSE_MS)
  await page
    .getByRole('button', { name: 'Retry now' })
    .press('Enter', { timeout: 1_000 })
    .catch(() => {})
  await page.getByText('Connected again, attempt 2').waitFor()
  await page.locator('.cs-message[data-role="assistant"][data-status="complete"]').waitFor()
  await message.focus()
  // The log where the connection broke, what was said twice, and the way on.
  await page.locator('.pg-log').evaluate((log) => {
    const drop = log.querySelector('[data-tone="bad"]')
    log.scrollTop += drop.getBoundingClientRect().top - log.getBoundingClientRect().top - 120
  })
  // The whole answer from its first line, as far as there is space.
  await page.getByRole('region', { name: 'Messages' }).evaluate((view) => view.scrollTo({ top: 0 }))
  await page.mouse.move(0, 0)
  await page.waitForTimeout(400)
  await page.screenshot({ path: file })
  const { size } = await stat(file)
  console.log(`${file}: ${Math.round(size / 1000)} kB`)
  if (size > MOST_BYTES) throw new Error(`The picture has more than ${MOST_BYTES / 1000} kB.`)
}

const server = await createServer({
  root,
  configFile: `${root}vite.config.ts`,
  logLevel: 'error',
  server: { port: 0, hmr: false, watch: null },
})
await server.listen()
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
})
try {
  for (const [colorScheme, name] of [
    ['light', 'playground.png'],
    ['dark', 'playground-dark.png'],
  ]) {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 1024 },
      deviceScaleFactor: 1,
      colorScheme,
      reducedMotion: 'reduce',
    })
    await takePicture(await context.newPage(), server.resolvedUrls.local[0], `${folder}/${name}`)
    await context.close()
  }
} finally {
  await browser.close()
  await server.close()
}
