// npm run bench:lists [-- --rounds=5]: what long lists of threads and of messages cost a page before they are shown.
import { cpus, loadavg } from 'node:os'
import { build } from 'esbuild'
import { costOf, launch, oneReact } from '../render/pages.js'
import { median } from '../wire/measure.js'

const ROOT = new URL('../..', import.meta.url).pathname
const ROUNDS = Number(process.argv.find((word) => word.startsWith('--rounds='))?.slice(9) ?? 5)
const WORD = 'meander'

const CASES = [
  { kind: 'bare', count: 20 },
  { kind: 'threads', count: 100 },
  { kind: 'threads', count: 1_000, searches: true },
  { kind: 'threads', count: 10_000, searches: true },
  { kind: 'messages', count: 20 },
  { kind: 'messages', count: 200 },
  { kind: 'messages', count: 210 },
  { kind: 'messages', count: 2_000 },
]

const { outputFiles } = await build({
  stdin: {
    contents: "import './bench/lists/page.js'; import './src/styles.css'",
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
})
const textOf = (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
const [script, sheet] = [textOf('.js'), textOf('.css')]

const browser = await launch()
console.log(
  `Chromium ${browser.version()}, Node ${process.version}, ${cpus().length} cores; ${ROUNDS} rounds, each case in a page of its own; load average ${load()}`,
)
const runs = CASES.map(() => [])
for (let round = 0; round < ROUNDS; round += 1) {
  for (let turn = 0; turn < CASES.length; turn += 1) {
    const at = (turn + round) % CASES.length
    runs[at].push(await once(CASES[at]))
  }
}
await browser.close()

const bareIn = (round) => runs[0][round].show.ms
console.table(
  Object.fromEntries(
    CASES.map(({ kind, count, searches }, at) => [
      `${kind}, ${count.toLocaleString('en')}`,
      {
        'ms to show': rounded(median(runs[at].map(({ show }) => show.ms))),
        '/ bare page': rounded(median(runs[at].map(({ show }, round) => show.ms / bareIn(round)))),
        'script ms': rounded(median(runs[at].map(({ cost }) => cost.ScriptDuration))),
        'layout + style ms': rounded(
          median(runs[at].map(({ cost }) => cost.LayoutDuration + cost.RecalcStyleDuration)),
        ),
        nodes: runs[at][0].show.nodes,
        'ms a search letter, worst': searches ? rounded(median(runs[at].map(({ search }) => search.ms))) : '',
      },
    ]),
  ),
)
console.log(`load average ${load()}`)

async function once({ kind, count, searches }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const errors = []
  page.on('pageerror', (error) => errors.push(error))
  // An address that browsers trust, answered here: nothing leaves the page.
  await page.route('http://localhost/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><meta charset="utf-8"><style>${sheet}</style><style>html, body, main { height: 100%; margin: 0 }</style><main></main>`,
    }),
  )
  await page.goto('http://localhost/')
  await page.addScriptTag({ content: script })
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const { result: show, cost } = await costOf({ session }, () =>
    page.evaluate((what) => globalThis.show(what), { kind, count }),
  )
  const search = searches ? await page.evaluate((word) => globalThis.search(word), WORD) : undefined
  if (errors.length > 0) throw new Error(`The page of ${kind} failed.`, { cause: errors[0] })
  if (search?.rows === 0) throw new Error(`No thread is found by ${WORD}.`)
  await context.close()
  return { show, cost, search }
}

function rounded(value) {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3))
}

function load() {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(', ')
}
