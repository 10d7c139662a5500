// Takes the picture of the README: `node playground/scripts/take-screenshot.mjs [file]`, after `npm ci`.
// Needs Chromium (CHROMIUM_PATH, or a usual place). Liberation Sans makes it look as the picture in the repository does.
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const file = process.argv[2] ?? `${root}docs/images/playground.png`
const executablePath = process.env.CHROMIUM_PATH ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path))
const MOST_BYTES = 400_000

/** Whether the answers have so many characters. */
const says = (least) => [...document.querySelectorAll('.cs-prose')].reduce((sum, { textContent }) => sum + textContent.length, 0) >= least

const server = await createServer({ root, configFile: `${root}vite.config.ts`, logLevel: 'error', server: { port: 0, hmr: false, watch: null } })
await server.listen()
const browser = await chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'] })
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1, colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto(server.resolvedUrls.local[0])
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill('How does reconnection work?')
  await message.press('Enter')
  await page.waitForFunction(says, 60)
  await page.getByRole('button', { name: 'Drop now' }).press('Enter')
  await message.focus()
  await page.getByText('Connected again, attempt 2').waitFor()
  await page.waitForFunction(says, 480)
  // The log where the line broke, what was said twice, and the way on.
  await page.locator('.pg-log').evaluate((log) => {
    const drop = log.querySelector('[data-tone="bad"]')
    log.scrollTop += drop.getBoundingClientRect().top - log.getBoundingClientRect().top - 48
  })
  await page.screenshot({ path: file })
  const { size } = await stat(file)
  console.log(`${file}: ${Math.round(size / 1000)} kB`)
  if (size > MOST_BYTES) throw new Error(`The picture has more than ${MOST_BYTES / 1000} kB.`)
} finally {
  await browser.close()
  await server.close()
}
