// npm run build && npm run bench:server [-- logs | sockets]
import { cpus } from 'node:os'
import { memoryEventLog } from '../../dist/server.js'
import { redisEventLog } from '../../dist/server-logs.js'
import { interleave, median, speed } from '../wire/measure.js'
import { startRedis } from './redis.js'
import { compareServers } from './compare-servers.js'
import { followOne, makeServer, replay, runMany } from './streams.js'

const RUNS = 100
const AT_ONCE = 50
const PACKETS = 40
const LONG_RUN = 1_000
const FOLLOWED = 200
const FOLLOWERS = [1, 10, 100]
const WARM_UP = 2
const ROUNDS = 7

const [wanted = 'all'] = process.argv.slice(2)
const redis = await startRedis()
if (wanted !== 'logs') await compareServers(redis)
if (wanted === 'sockets') {
  await redis.stop()
  process.exit()
}

const clients = [await redis.connect(), await redis.connect()]
const logs = clients.map((client) => redisEventLog({ client }))
const [log, other] = logs

// `redis, elsewhere`: the run is carried out in one process and followed or replayed in another, as far as the log can tell.
const servers = {
  memory: makeServer(memoryEventLog()),
  redis: makeServer(log),
  'redis, elsewhere': makeServer(log, other),
}
const names = Object.keys(servers)
const all = (measure) => Object.fromEntries(names.map((name) => [name, () => measure(servers[name])]))

console.log(
  `Node ${process.version}, Redis ${await redis.version()}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}`,
)

const whole = await interleave(
  all((server) => runMany(server, { runs: RUNS, atOnce: AT_ONCE, packets: PACKETS })),
  { warmUp: WARM_UP, rounds: ROUNDS },
)
console.log(`\n${RUNS} answers of ${PACKETS} packets, ${AT_ONCE} at once`)
console.table(
  Object.fromEntries(
    names.map((name) => [
      name,
      {
        'ms (median)': round(median(whole[name])),
        'answers per s': Math.round((1_000 * RUNS) / median(whole[name])),
        'packets per s': Math.round((1_000 * RUNS * PACKETS) / median(whole[name])),
        'speed / memory': round(speed(whole, name, 'memory')),
      },
    ]),
  ),
)

for (const server of Object.values(servers)) await server.prepare(LONG_RUN)
const resumed = await interleave(
  all((server) => replay(server)),
  { warmUp: WARM_UP, rounds: 3 * ROUNDS },
)
const first = await interleave(
  all((server) => replay(server, 1)),
  { warmUp: WARM_UP, rounds: 3 * ROUNDS },
)
console.log(`\nA client that comes back to an answer of ${LONG_RUN} packets`)
console.table(
  Object.fromEntries(
    names.map((name) => [
      name,
      {
        'ms to the first packet': round(median(first[name])),
        'ms to the last': round(median(resumed[name])),
        'time / memory': round(1 / speed(resumed, name, 'memory')),
      },
    ]),
  ),
)

const cases = Object.fromEntries(
  names.flatMap((name) =>
    FOLLOWERS.map((count) => [
      `${name} ${count}`,
      () => followOne(servers[name], { packets: FOLLOWED, followers: count }),
    ]),
  ),
)
const followed = await interleave(cases, { warmUp: WARM_UP, rounds: ROUNDS })
const asked = {}
for (const name of names)
  for (const count of FOLLOWERS)
    asked[`${name} ${count}`] = await redis.commandsOf(() =>
      followOne(servers[name], { packets: FOLLOWED, followers: count }),
    )
console.log(`\nOne run of ${FOLLOWED} packets, followed while it goes on`)
console.table(
  Object.fromEntries(
    names.flatMap((name) =>
      FOLLOWERS.map((count) => [
        `${name}, ${count} followers`,
        {
          'ms (median)': round(median(followed[`${name} ${count}`])),
          'time / 1 follower': round(1 / speed(followed, `${name} ${count}`, `${name} 1`)),
          'packets heard per s': Math.round((1_000 * FOLLOWED * count) / median(followed[`${name} ${count}`])),
          'Redis commands / packet': round(asked[`${name} ${count}`] / FOLLOWED),
        },
      ]),
    ),
  ),
)
console.log(
  `Connections to Redis in the end: ${await redis.connections()} (two clients, and one more for the followers of each).`,
)

for (const each of logs) each.close()
for (const client of clients) client.destroy()
await redis.stop()

function round(value) {
  return Number(value.toFixed(2))
}
