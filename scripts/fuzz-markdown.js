// npm run test:markdown [-- --seed 1 --share 0.1]: many more hostile messages than `npm test` reads, over all cores. `--share` makes
// fewer of each kind.
/* oxlint-disable unicorn/require-post-message-target-origin -- these are threads of Node, not windows */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { runnerImport } from 'vite'

/** How many texts of each kind. */
const COUNTS = {
  lines: 100_000,
  plain: 20_000,
  formulas: 100_000,
  'formula paragraphs': 2000,
  concatenations: 20_000,
  paragraphs: 2000,
  commonmark: 100_000,
  github: 50_000,
}
/** Texts a worker reads before it reports: small enough that all end together. */
const PORTIONS = {
  lines: 500,
  plain: 500,
  formulas: 500,
  'formula paragraphs': 20,
  concatenations: 200,
  paragraphs: 20,
  commonmark: 5000,
  github: 1000,
}

if (isMainThread) await main()
else await work()

async function work() {
  const { module } = await runnerImport(new URL('../test/markdown/fuzz-runs.ts', import.meta.url).pathname, {
    configFile: false,
  })
  parentPort.on('message', ({ kind, seed, count }) =>
    parentPort.postMessage({ kind, ...module.runFuzz(kind, seed, count) }),
  )
  parentPort.postMessage(workerData)
}

async function main() {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: '1' }, share: { type: 'string', default: '1' } },
  })
  const seed = Number(values.seed)
  const portions = Object.entries(COUNTS).flatMap(([kind, most]) => {
    const all = Math.ceil(most * Number(values.share))
    return Array.from({ length: Math.ceil(all / PORTIONS[kind]) }, (_, index) => ({
      kind,
      seed: seed * 100_000 + index,
      count: Math.min(PORTIONS[kind], all - index * PORTIONS[kind]),
    }))
  })
  const totals = new Map()
  const explained = new Map()
  const faults = []
  const begun = performance.now()
  await Promise.all(
    Array.from(
      { length: availableParallelism() },
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker(new URL(import.meta.url), { workerData: 'ready' })
          worker.on('error', reject)
          worker.on('message', (report) => {
            if (report !== 'ready') {
              totals.set(report.kind, (totals.get(report.kind) ?? 0) + report.count)
              for (const [name, times] of Object.entries(report.explained))
                explained.set(name, (explained.get(name) ?? 0) + times)
              faults.push(...report.faults.map((fault) => `${report.kind}: ${fault}`))
              if (process.stderr.isTTY)
                process.stderr.write(`\r${[...totals].map(([kind, count]) => `${kind} ${count}`).join(', ')}`)
            }
            const portion = portions.shift()
            if (portion !== undefined) return worker.postMessage(portion)
            void worker.terminate().then(resolve)
          })
        }),
    ),
  )
  if (process.stderr.isTTY) process.stderr.write('\r')
  console.log(
    `From seed ${seed} in ${((performance.now() - begun) / 1000).toFixed(0)} s: ${[...totals].map(([kind, count]) => `${count} ${kind}`).join(', ')}.`,
  )
  for (const [name, times] of [...explained].toSorted(([, a], [, b]) => b - a))
    console.log(`${String(times).padStart(9)}  ${name}`)
  for (const fault of faults.slice(0, 20)) console.error(`\n${fault}`)
  if (faults.length > 0) console.error(`\n${faults.length} faults.`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
