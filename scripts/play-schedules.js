// npm run test:faults [-- --count 100000 --seed 1]: many more fault schedules than `npm test` plays, over all cores,
// and the cut at every single byte over real sockets.
// npm run test:frames [-- --count 20000 --seed 1]: the same over WebSockets in place of event streams.
// npm run test:consent [-- --count 100000 --seed 1]: the same for what an agent may do only with consent.
// npm run test:a2a [-- --count 20000 --seed 1]: the same for agents of A2A.
// npm run test:arcp [-- --count 20000 --seed 1]: the same for jobs on one session of ARCP.
// npm run test:tabs [-- --count 20000 --seed 1]: the same for one conversation in several tabs.
// --seed takes several, as in `--seed 1,700000,fresh`: the count is played from each. `fresh` draws one, and prints it before it plays.
/* oxlint-disable unicorn/require-post-message-target-origin -- these are threads of Node, not windows */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { loadModule } from './load-module.js'

/** Where a suite's `runSchedules` is, where its failures are kept, how many it plays, and how many between two reports: few enough that all workers end together. */
const SUITES = {
  faults: {
    module: '../test/faults/property/run-schedules.ts',
    regressions: 'test/faults/property/regressions.ts',
    count: '100000',
    portion: 2500,
  },
  frames: {
    module: '../test/faults/property/run-frame-schedules.ts',
    regressions: 'test/faults/property/regressions.ts',
    count: '20000',
    portion: 500,
  },
  tabs: {
    module: '../test/storage/model/run-tab-schedules.ts',
    regressions: 'test/storage/model/regressions.ts',
    count: '20000',
    portion: 500,
  },
  a2a: {
    module: '../test/faults/a2a/run-a2a-schedules.ts',
    regressions: 'test/faults/a2a/regressions.ts',
    count: '20000',
    portion: 500,
  },
  arcp: {
    module: '../test/faults/arcp/run-arcp-schedules.ts',
    regressions: 'test/faults/arcp/regressions.ts',
    count: '20000',
    portion: 250,
  },
  consent: {
    module: '../test/faults/consent/run-consent-schedules.ts',
    regressions: 'test/faults/consent/regressions.ts',
    count: '100000',
    portion: 1000,
  },
}

/** Fresh seeds are below this. */
const FRESH_BELOW = 1_000_000_000

if (isMainThread) await main()
else await work()

async function work() {
  const { module } = await loadModule(new URL(SUITES[workerData].module, import.meta.url).pathname)
  parentPort.on(
    'message',
    (portion) => void module.runSchedules(portion).then((report) => parentPort.postMessage(report)),
  )
  parentPort.postMessage('ready')
}

async function main() {
  const { values } = parseArgs({
    options: {
      suite: { type: 'string', default: 'faults' },
      count: { type: 'string', default: process.env.FAULT_SCHEDULES },
      seed: { type: 'string', default: process.env.FAULT_SEED ?? '1' },
    },
  })
  const suite = SUITES[values.suite]
  if (suite === undefined) throw new Error(`There is no suite «${values.suite}»: ${Object.keys(SUITES).join(', ')}.`)
  const count = Number(values.count ?? suite.count)
  for (const each of values.seed.split(',')) {
    const seed = each === 'fresh' ? randomInt(1, FRESH_BELOW) : Number(each)
    if (!Number.isSafeInteger(seed)) throw new Error(`«${each}» is no seed: give a whole number, or «fresh».`)
    console.log(`Seed ${seed}, ${count} schedules of ${values.suite}.`)
    if (await playFrom(seed, { ...suite, name: values.suite, count })) continue
    process.exitCode = 1
    return
  }
  if (values.suite !== 'faults') return
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'slow', 'test/faults/matrix-cuts'],
    { stdio: 'inherit', env: { ...process.env, EVERY_OFFSET: '1' } },
  )
  process.exitCode = status ?? 1
}

/** Plays the schedules from a seed over all cores, and prints what they met. Whether no promise was broken. */
async function playFrom(seed, { name, count, portion: size, regressions }) {
  const portions = Array.from({ length: Math.ceil(count / size) }, (_, index) => ({
    seed: seed + index,
    count: Math.min(size, count - index * size),
  }))
  const totals = new Map()
  const begun = performance.now()
  let played = 0
  let posts = 0
  let failure

  await Promise.all(
    Array.from(
      { length: availableParallelism() },
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker(new URL(import.meta.url), { workerData: name })
          worker.on('error', reject)
          worker.on('message', (report) => {
            if (report !== 'ready') {
              played += report.played
              posts += report.posts ?? 0
              for (const [what, times] of Object.entries(report.met)) totals.set(what, (totals.get(what) ?? 0) + times)
              failure ??= report.failure
              if (process.stderr.isTTY) process.stderr.write(`\r${played} schedules`)
            }
            const portion = failure === undefined ? portions.shift() : undefined
            if (portion !== undefined) return worker.postMessage(portion)
            void worker.terminate().then(resolve)
          })
        }),
    ),
  )

  const seconds = (performance.now() - begun) / 1000
  if (process.stderr.isTTY) process.stderr.write('\r')
  console.log(
    `${played} schedules from seed ${seed} in ${seconds.toFixed(0)} s: ${Math.round(played / seconds)} a second${posts > 0 ? `, ${posts} requests` : ''}.`,
  )
  for (const [what, times] of [...totals].toSorted(([, a], [, b]) => b - a))
    console.log(`${String(times).padStart(9)}  ${what}`)
  if (failure === undefined) return true
  console.error(
    `\nA schedule breaks a promise: ${failure.words}\nKeep it in ${regressions}:\n${JSON.stringify(failure.schedule)}`,
  )
  return false
}
