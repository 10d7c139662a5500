// Pages of one Chromium, one per contender, each in its own process, and the browser's own count of what they cost.
import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { build } from 'esbuild'
import { chromium } from 'playwright'

const ROOT = new URL('../..', import.meta.url).pathname
const FOR = { capstan: 'capstan-page.js', 'ai-sdk': 'ai-sdk-page.js', react: 'react-page.js', raw: 'raw-page.js' }
const FRAME =
  'html, body, main { height: 100%; margin: 0 } .view { height: calc(100% - 4rem); overflow-y: auto; font: 16px/1.5 sans-serif } .view + textarea { box-sizing: border-box; width: 100%; height: 4rem } .message { max-width: 44rem; margin: 0 auto 1.5rem }'

/** Takes React from where capstan's own is, so that each bundle has one. */
export const oneReact = Object.fromEntries(['react', 'react-dom'].map((name) => [name, `${ROOT}node_modules/${name}`]))

export async function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
}

/** The browser, Node, the machine and the contenders. */
export async function versionsOf(browser) {
  const versions = await Promise.all(
    ['ai', '@ai-sdk/react', 'streamdown', 'react'].map(async (name) => {
      const manifest = await readFile(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8')
      return `${name} ${JSON.parse(manifest).version}`
    }),
  )
  return `Chromium ${browser.version()}, Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${versions.join(', ')}`
}

const bundled = {}

async function bundle(who) {
  bundled[who] ??= build({
    stdin: {
      contents: `import './bench/render/${FOR[who]}'; ${who === 'capstan' ? "import './src/styles.css'" : ''}`,
      resolveDir: ROOT,
    },
    bundle: true,
    minify: true,
    write: false,
    outdir: '/unwritten',
    format: 'iife',
    jsx: 'automatic',
    alias: oneReact,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  }).then(({ outputFiles }) =>
    ['.js', '.css'].map((end) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''),
  )
  return bundled[who]
}

/** Shows a thread, and says what that cost. */
export async function open(browser, { who, ...setup }) {
  const [js, css] = await bundle(who)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const errors = []
  page.on('pageerror', (error) => errors.push(error))
  // An address that browsers trust, answered here: nothing leaves the page.
  await page.route('http://localhost/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><meta charset="utf-8"><style>${css}</style><style>${FRAME}</style><main></main>`,
    }),
  )
  await page.goto('http://localhost/')
  await page.addScriptTag({ content: js })
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const one = { who, page, session, close: () => context.close() }
  one.mount = (await costOf(one, () => page.evaluate((setup) => globalThis.begin(setup), setup))).cost
  if (errors.length > 0) throw new Error(`The page of ${who} failed.`, { cause: errors[0] })
  return one
}

/** Milliseconds of the main thread. */
export async function costOf({ session }, act) {
  const before = await metrics(session)
  const result = await act()
  const after = await metrics(session)
  return {
    result,
    cost: Object.fromEntries(Object.entries(after).map(([name, value]) => [name, (value - before[name]) * 1000])),
  }
}

async function metrics(session) {
  const { metrics } = await session.send('Performance.getMetrics')
  return Object.fromEntries(
    metrics.filter(({ name }) => name.endsWith('Duration')).map(({ name, value }) => [name, value]),
  )
}

/** Bytes in use after all garbage is gone. */
export async function heapOf({ session }) {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}
