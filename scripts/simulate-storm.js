// npm run simulate:storm: 2,000 clients whose lines are cut in one moment, in virtual time. How thick do they come back?
import { runnerImport } from 'vite'

const CLIENTS = 2000
const SEEDS = 10

const load = async (path) => (await runnerImport(new URL(path, import.meta.url).pathname, { configFile: false })).module
const { simulateStorm } = await load('../test/faults/storm.ts')
const { backoff } = await load('../src/base/backoff.ts')

const percent = (share) => `${(share * 100).toFixed(1)} %`
const seconds = (ms) => (ms === undefined ? '-' : `${(ms / 1000).toFixed(1)} s`)
const defaultMs = backoff().delayMs(1, {}, 1)
const policies = [...new Set([500, 2000, defaultMs, 4000])]
  .toSorted((a, b) => a - b)
  .map((baseMs) => [
    `${baseMs / 1000} s${baseMs === defaultMs ? ', the default' : ''}`,
    baseMs === defaultMs ? backoff() : backoff({ baseMs }),
  ])

console.log(
  `${CLIENTS} clients cut together, worst of ${SEEDS} seeds; attempts in any 100 ms as a share of all clients`,
)
console.log(
  '| First wait up to | Server is down for | Peak in 100 ms | Worst minute | Half are back after | 99 % after | Gave up |',
)
console.log('|---|---|---|---|---|---|---|')
for (const downMs of [0, 5000]) {
  for (const [name, retry] of policies) {
    const reports = []
    for (let seed = 1; seed <= SEEDS; seed += 1)
      reports.push(await simulateStorm({ clients: CLIENTS, downMs, retry, seed: seed * 7919 }))
    const worst = (pick) => Math.max(...reports.map(pick))
    const [first] = reports
    console.log(
      `| ${name} | ${seconds(downMs)} | ${percent(worst((report) => report.peakShare))} | ${worst((report) => report.worstMinute)} | ${seconds(first.median)} | ${seconds(first.p99)} | ${percent(first.gaveUp / CLIENTS)} |`,
    )
  }
}
