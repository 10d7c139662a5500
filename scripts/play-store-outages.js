// npm run test:outages [-- --count 50 --hurry 1 --only alone|sentinel|cluster|postgres --kind NAME]: lets a real Redis or Postgres fail in the
// middle of an answer, so many times each, for 1 to 15 s, and looks whether anybody is told a part for the whole. `--hurry 5` makes all
// times a fifth. Each kind of outage of Postgres is played so many times; `--kind` plays one of them.
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

/** How many at once: a Redis alone is one process, one under Sentinel is three, one in a cluster is four, and a Postgres is about ten. */
const AT_ONCE = { alone: 10, sentinel: 4, cluster: 3, postgres: 8 }
const NAMES = {
  alone: 'a Redis alone',
  sentinel: 'a Redis under Sentinel',
  cluster: 'a Redis Cluster',
  postgres: 'Postgres',
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50' },
    hurry: { type: 'string', default: '1' },
    only: { type: 'string' },
    kind: { type: 'string' },
  },
})
const load = async (path) => (await runnerImport(new URL(path, import.meta.url).pathname, { configFile: false })).module
const { redisExecutable } = await load('../test/server/redis-process.ts')
const { postgresFolder } = await load('../test/server/postgres-process.ts')
const stores = ['alone', 'sentinel', 'cluster', 'postgres'].filter(
  (store) => values.only === undefined || store === values.only,
)
const absent = stores.filter((store) => (store === 'postgres' ? postgresFolder : redisExecutable) === undefined)
for (const store of absent)
  console.log(
    `The programs of ${NAMES[store]} were not found (see REDIS_SERVER_PATH and POSTGRES_BIN): no outage of it is played.`,
  )
if (absent.length > 0 && process.env.CI) process.exit(1)
const { playOutage } = await load('../test/server/outages/play-outage.ts')
const { planOutages } = await load('../test/server/outages/outage-plans.ts')

const { POSTGRES_OUTAGES } = await load('../test/server/outages/failing-postgres.ts')

const broken = []
for (const store of stores.filter((each) => !absent.includes(each))) {
  const kinds = store !== 'postgres' ? [undefined] : values.kind === undefined ? POSTGRES_OUTAGES : [values.kind]
  const plans = kinds.flatMap((kind) =>
    planOutages({ count: Number(values.count), store, kind, hurry: Number(values.hurry) }),
  )
  const { length: count } = plans
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
      console.error(`${played} of ${count}: ${plan.ms} ms | ${words}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE[store] }, work))
  console.log(
    `\n${played} outages of ${NAMES[store]} in ${((performance.now() - begun) / 1000).toFixed(0)} s, ${broken.length} promises broken so far.\n`,
  )
  console.log('| Outage | Server | Expired | Client | Read later | Times |\n|---|---|---|---|---|---|')
  for (const [words, times] of [...outcomes].toSorted(([a], [b]) => a.localeCompare(b)))
    console.log(`| ${words} | ${times} |`)
}
for (const fault of broken) console.error(fault)
process.exit(broken.length === 0 ? 0 : 1)
