// npm run test:faults [-- --count 100000 --seed 1]: many more fault schedules than `npm test` plays, over all cores,
// and the cut at every single byte over real sockets.
/* oxlint-disable unicorn/require-post-message-target-origin -- these are threads of Node, not windows */
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { runnerImport } from 'vite'

/** Schedules a worker plays before it reports: small enough that all end together. */
const PORTION = 2500

if (isMainThread) await main()
else await work()

async function work() {
  const { module } = await runnerImport(new URL('../test/faults/property/run-schedules.ts', import.meta.url).pathname, { configFile: false })
  parentPort.on('message', (portion) => void module.runSchedules(portion).then((report) => parentPort.postMessage(report)))
  parentPort.postMessage(workerData)
}

async function main() {
  const { values } = parseArgs({ options: { count: { type: 'string', default: process.env.FAULT_SCHEDULES ?? '100000' }, seed: { type: 'string', default: process.env.FAULT_SEED ?? '1' } } })
  const count = Number(values.count)
  const seed = Number(values.seed)
  const portions = Array.from({ length: Math.ceil(count / PORTION) }, (_, index) => ({ seed: seed + index, count: Math.min(PORTION, count - index * PORTION) }))
  const totals = new Map()
  const begun = performance.now()
  let played = 0
  let posts = 0
  let failure

  await Promise.all(
    Array.from({ length: availableParallelism() }, () => new Promise((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: 'ready' })
      worker.on('error', reject)
      worker.on('message', (report) => {
        if (report !== 'ready') {
          played += report.played
          posts += report.posts
          for (const [what, times] of Object.entries(report.met)) totals.set(what, (totals.get(what) ?? 0) + times)
          failure ??= report.failure
          if (process.stderr.isTTY) process.stderr.write(`\r${played} schedules`)
        }
        const portion = failure === undefined ? portions.shift() : undefined
        if (portion !== undefined) return worker.postMessage(portion)
        void worker.terminate().then(resolve)
      })
    })),
  )

  const seconds = (performance.now() - begun) / 1000
  if (process.stderr.isTTY) process.stderr.write('\r')
  console.log(`${played} schedules from seed ${seed} in ${seconds.toFixed(0)} s: ${Math.round(played / seconds)} a second, ${posts} requests.`)
  for (const [what, times] of [...totals].toSorted(([, a], [, b]) => b - a)) console.log(`${String(times).padStart(9)}  ${what}`)
  if (failure !== undefined) {
    console.error(`\nA schedule breaks a promise: ${failure.words}\nKeep it in test/faults/property/regressions.ts:\n${JSON.stringify(failure.schedule)}`)
    process.exitCode = 1
    return
  }
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', 'test/faults/matrix-cuts.test.ts'], { stdio: 'inherit', env: { ...process.env, EVERY_OFFSET: '1' } })
  process.exitCode = status ?? 1
}
