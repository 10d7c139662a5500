// npm run test:outages [-- --count 50 --hurry 1 --only alone|sentinel]: lets a real Redis fail in the middle of an answer, so many times alone and so many
// times under Sentinel, for 1 to 15 s, and looks whether anybody is told a part for the whole. `--hurry 5` makes all times a fifth.
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

/** How many at once: a Redis alone is one process, and one under Sentinel is three. */
const AT_ONCE = { false: 10, true: 4 }

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    hurry: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const load = async (path) => (await runnerImport(new URL(path, import.meta.url).pathname, { configFile: false })).module
const { redisExecutable } = await load('../test/server/redis-process.ts')
if (redisExecutable === undefined) {
  console.log('No redis-server found (see REDIS_SERVER_PATH): no outage is played.')
  process.exit(process.env.CI ? 1 : 0)
}
const { playOutage } = await load('../test/server/outages/play-outage.ts')
const { planOutages } = await load('../test/server/outages/outage-plans.ts')

const broken = []
for (const sentinel of [false, true].filter(
  (each) => values.only === undefined || (values.only === 'sentinel') === each,
)) {
  const plans = planOutages({ count: Number(values.count), sentinel, hurry: Number(values.hurry) })
  const outcomes = new Map()
  const begun = performance.now()
  let played = 0
  const work = async () => {
    for (let plan = plans.shift(); plan !== undefined; plan = plans.shift()) {
      const report = await playOutage(plan)
      played += 1
      const words = `${plan.kind} | ${plan.served} | ${plan.onExpired} | ${report.client}${report.streams > 1 ? ', begun again' : ''} | ${report.late.join(', ')}`
      outcomes.set(words, (outcomes.get(words) ?? 0) + 1)
      for (const fault of report.broken) broken.push(`${JSON.stringify(plan)}: ${fault}`)
      console.error(`${played} of ${values.count}: ${plan.ms} ms | ${words}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE[sentinel] }, work))
  console.log(
    `\n${played} outages of a Redis ${sentinel ? 'under Sentinel' : 'alone'} in ${((performance.now() - begun) / 1000).toFixed(0)} s, ${broken.length} promises broken so far.\n`,
  )
  console.log('| Outage | Server | Expired | Client | Read later | Times |\n|---|---|---|---|---|---|')
  for (const [words, times] of [...outcomes].toSorted(([a], [b]) => a.localeCompare(b)))
    console.log(`| ${words} | ${times} |`)
}
for (const fault of broken) console.error(fault)
process.exit(broken.length === 0 ? 0 : 1)
