// npm run build && npm run soak [-- MINUTES] [-- --only node]: steady work for so many minutes (30 when left out) in Chromium and in
// Node, or in one of them, each in its own process, and what it leaves behind: heap after collecting garbage, nodes, listeners
// and handles.
// Leaves with 1 when a heap grows by more than 1 MB per hour after warm-up, or a count grows.
import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { soakNode } from '../bench/soak/node-part.js'
import { judge, MOST_MB_PER_HOUR } from '../bench/soak/trend.js'

const MS_PER_MINUTE = 60_000
/** Samples of a soak, about: more would measure themselves. */
const SAMPLES = 60
const PARTS = ['chromium', 'node']
const PLACES = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome']
/** Compiled code fills the heap for many minutes and says nothing of what the page keeps. */
const V8_FLAGS = ['--no-opt', '--no-maglev', '--no-sparkplug', '--no-flush-bytecode']
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--js-flags=${V8_FLAGS.join(' ')}`,
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { part: { type: 'string' }, only: { type: 'string' } },
})
const minutes = Number(positionals[0] ?? 30)
if (!(minutes > 0))
  throw new Error(`A soak takes a number of minutes above 0, such as \`npm run soak -- 3\`, and not ${positionals[0]}.`)
const parts = PARTS.filter((part) => values.only === undefined || part === values.only)
if (parts.length === 0) throw new Error(`There is no part ${values.only}. The parts are ${PARTS.join(' and ')}.`)

if (values.part === undefined) await runParts()
else report(values.part, await soak(values.part))

/** All at once: they share the machine and no process. */
async function runParts() {
  const codes = await Promise.all(
    parts.map(
      (part) =>
        new Promise((resolve) => {
          fork(new URL(import.meta.url), [String(minutes), '--part', part], {
            execArgv: ['--expose-gc', ...V8_FLAGS],
          }).on('exit', (code) => resolve(code ?? 1))
        }),
    ),
  )
  process.exitCode = codes.some((code) => code !== 0) ? 1 : 0
}

async function soak(part) {
  const end = performance.now() + minutes * MS_PER_MINUTE
  const every = (minutes * MS_PER_MINUTE) / SAMPLES
  const timing = { roundsPerSample: 1, isOver: () => performance.now() > end }
  if (part === 'node')
    return soakNode({
      ...timing,
      roundsPerSample: await roundsIn(
        every,
        (rounds) => soakNode({ roundsPerSample: rounds, isOver: (done) => done >= rounds }),
        20,
      ),
    })
  const executablePath = PLACES.find((path) => path !== undefined && existsSync(path))
  if (executablePath === undefined) throw new Error('No Chromium was found. Install it, or name it in CHROMIUM_PATH.')
  // Loaded here: the heap of the other part is not to hold them.
  const { chromium } = await import('playwright')
  const { CYCLE, soakBrowser } = await import('../bench/soak/browser-part.js')
  const browser = await chromium.launch({ executablePath, args: ARGS })
  try {
    const cycles = await roundsIn(
      every,
      (count) => soakBrowser({ browser, roundsPerSample: CYCLE * count, isOver: (done) => done >= CYCLE * count }),
      1,
    )
    return await soakBrowser({ ...timing, browser, roundsPerSample: CYCLE * cycles })
  } finally {
    await browser.close()
  }
}

/** How many rounds, or cycles of them, fill a time: by running `some`. */
async function roundsIn(ms, run, some) {
  const begun = performance.now()
  await run(some)
  return Math.max(1, Math.round((ms / (performance.now() - begun)) * some))
}

function report(part, { samples, problems = [], done }) {
  const { mbPerHour, growing, samples: judged, passed } = judge(samples)
  const shown = samples.filter(
    (_, index) => index % Math.ceil(samples.length / 15) === 0 || index === samples.length - 1,
  )
  console.log(
    `\n${part}: ${minutes} min, ${samples.length} samples, the last ${judged} of them judged\n${JSON.stringify(done)}`,
  )
  console.table(
    shown.map(({ atMs, heap, counts }) => ({
      s: Math.round(atMs / 1000),
      'heap, kB': Math.round(heap / 1000),
      ...counts,
    })),
  )
  console.log(
    `${part}: heap ${mbPerHour >= 0 ? '+' : ''}${mbPerHour.toFixed(2)} MB/h (at most ${MOST_MB_PER_HOUR}); counts that grow: ${growing.join(', ') || 'none'}`,
  )
  if (done.wrong > 0 || problems.length > 0)
    console.log(`${part}: ${done.wrong} answers were not whole. ${problems.slice(0, 3).join(' | ')}`)
  process.exitCode = passed && done.wrong === 0 && problems.length === 0 ? 0 : 1
}
