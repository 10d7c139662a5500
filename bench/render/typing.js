// npm ci && node bench/render/typing.js
//
// What a key press into the composer costs, and a commit of a growing answer, in threads of different lengths: the
// browser's own count of thread time (not of the clock on the wall), of many presses, taken in turns.
import { cpus } from 'node:os'
import { build } from 'esbuild'
import { chromium } from 'playwright'
import { median } from '../wire/measure.js'
import { oneReact } from './pages.js'

const ROUNDS = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 60)
const WARM_UP = 10
const TARGET = 2
const FRAME_MS = 16.7

const CANDIDATES = [
  { name: 'empty', count: 0 },
  { name: '60', count: 60 },
  { name: '200', count: 200 },
  { name: '2,000', count: 2000 },
  {
    name: '200, unseen ones skipped',
    count: 200,
    css: '.cs-turn { content-visibility: auto; contain-intrinsic-block-size: auto 20rem }',
  },
  { name: '400, all mounted', count: 400, whole: true },
  { name: '2,000, all mounted', count: 2000, whole: true },
  {
    name: '2,000, all mounted, unseen ones skipped',
    count: 2000,
    whole: true,
    css: '.cs-turn { content-visibility: auto; contain-intrinsic-block-size: auto 20rem }',
  },
]

const ROOT = new URL('../..', import.meta.url).pathname
const { outputFiles } = await build({
  stdin: { contents: "import './bench/render/typing-page.tsx'; import './src/styles.css'", resolveDir: ROOT },
  bundle: true,
  minify: true,
  write: false,
  outdir: '/unwritten',
  format: 'iife',
  jsx: 'automatic',
  alias: oneReact,
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'error',
})
const [js = '', css = ''] = ['.js', '.css'].map((end) => outputFiles.find(({ path }) => path.endsWith(end))?.text)

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
console.log(
  `${ROUNDS} rounds; ${browser.version()}, Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}`,
)

const opened = []
for (const candidate of CANDIDATES) opened.push(await open(candidate))
for (let round = -WARM_UP; round < ROUNDS; round += 1) {
  for (let at = 0; at < opened.length; at += 1) {
    const one = opened[(at + round + WARM_UP) % opened.length]
    await one.page.bringToFront()
    const press = await costOf(one, () => one.page.keyboard.press('a'))
    const commit =
      one.count === 0
        ? press
        : await costOf(one, () => one.page.evaluate((words) => globalThis.grow(words), 40 + (round + WARM_UP) * 6))
    if (round < 0) continue
    one.presses.push(press)
    one.commits.push(commit)
  }
}
const [empty] = opened
console.table(
  Object.fromEntries(
    opened.map((one) => [
      one.name,
      {
        mounted: one.mounted,
        'mount ms': round(one.mount),
        'press ms': round(middle(one.presses, 'TaskDuration')),
        script: round(middle(one.presses, 'ScriptDuration')),
        layout: round(middle(one.presses, 'LayoutDuration') + middle(one.presses, 'RecalcStyleDuration')),
        'press / empty': round(ratio(one, empty)),
        'commit ms': round(middle(one.commits, 'TaskDuration')),
        'commit p95': round(
          one.commits.map(({ TaskDuration }) => TaskDuration).toSorted((a, b) => a - b)[
            Math.floor(one.commits.length * 0.95)
          ],
        ),
      },
    ]),
  ),
)
const long = opened.find(({ name }) => name === '2,000')
const met = ratio(long, empty) <= TARGET && middle(long.commits, 'TaskDuration') < FRAME_MS
console.log(
  `2,000 messages / empty: ${round(ratio(long, empty))} (target ${TARGET}); a commit ${round(middle(long.commits, 'TaskDuration'))} ms (target ${FRAME_MS}): ${met ? 'met' : 'missed'}`,
)
await browser.close()

async function open({ name, count, whole = false, css: more = '' }) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.setContent(
    `<!doctype html><style>${css} ${more}</style><style>html, body, main { height: 100%; margin: 0 }</style><main></main>`,
  )
  await page.addScriptTag({ content: js })
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const one = { name, count, page, session, presses: [], commits: [], mount: 0, mounted: 0 }
  const { TaskDuration } = await costOf(one, () =>
    page.evaluate(
      ([count, whole]) => {
        globalThis.grow = globalThis.show(count, whole)
      },
      [count, whole],
    ),
  )
  await page.waitForTimeout(500)
  one.mount = TaskDuration
  one.mounted = await page.locator('article').count()
  await page.locator('textarea').click()
  return one
}

/** Milliseconds of the main thread until what was done is painted. */
async function costOf({ page, session }, act) {
  const before = await metrics(session)
  await act()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  const after = await metrics(session)
  return Object.fromEntries(Object.entries(after).map(([name, value]) => [name, (value - before[name]) * 1000]))
}

async function metrics(session) {
  const { metrics } = await session.send('Performance.getMetrics')
  return Object.fromEntries(
    metrics.filter(({ name }) => name.endsWith('Duration')).map(({ name, value }) => [name, value]),
  )
}

function middle(samples, name) {
  return median(samples.map((sample) => sample[name]))
}

/** Within a round, so that a machine that is slow for a while is slow for both. */
function ratio(one, other) {
  return median(one.presses.map(({ TaskDuration }, at) => TaskDuration / other.presses[at].TaskDuration))
}

function round(value) {
  return Math.round(value * 100) / 100
}
