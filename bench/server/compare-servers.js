import { cpus, loadavg } from 'node:os'
import { median } from '../wire/measure.js'
import { answerMany, herd, startServer } from './sockets.js'

const KINDS = ['bare', 'AI SDK', 'memory', 'redis']
/** Short and long answers: what a request costs, and what a packet costs. */
const ANSWERS = [
  { answers: 200, atOnce: 50, packets: 20, paceMs: 5 },
  { answers: 100, atOnce: 50, packets: 100, paceMs: 5 },
]
const HERD = { requests: 1_000, packets: 40, paceMs: 20 }
const ROUNDS = 5

/** Servers in their own processes, asked over sockets in interleaved rounds. The first round warms up. */
export async function compareServers(redis) {
  const servers = {}
  for (const kind of KINDS) servers[kind] = await startServer(kind, redis.url)
  console.log(`\nServers over sockets, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}`)

  for (const load of ANSWERS) {
    const commands = []
    const took = await rounds(async (kind) => {
      const work = () => servers[kind].cpuOf(() => answerMany(servers[kind], load))
      if (kind !== 'redis') return (await work()) / load.answers
      let cpuMs
      commands.push((await redis.commandsOf(async () => (cpuMs = await work()))) / (load.answers * load.packets))
      return cpuMs / load.answers
    })
    console.log(`\n${load.answers} answers of ${load.packets} packets ${load.paceMs} ms apart, ${load.atOnce} at once`)
    console.table(
      table((kind) => ({
        'CPU ms / answer': round(median(took[kind])),
        'x bare': round(median(ratios(took, kind, 'bare'))),
        'x AI SDK': round(median(ratios(took, kind, 'AI SDK'))),
        'x memory': round(median(ratios(took, kind, 'memory'))),
        'Redis commands / packet': kind === 'redis' ? round(median(commands)) : 0,
      })),
    )
  }

  const cpu = Object.fromEntries(KINDS.map((kind) => [kind, []]))
  const waits = await rounds(async (kind) => {
    let sorted
    cpu[kind].push((await servers[kind].cpuOf(async () => (sorted = await herd(servers[kind], HERD)))) / HERD.requests)
    return sorted
  })
  console.log(
    `\n${HERD.requests} requests in one moment, ${HERD.packets} packets ${HERD.paceMs} ms apart: ms to the first byte`,
  )
  console.table(
    table((kind) => ({
      p50: Math.round(median(waits[kind].map((sorted) => sorted[HERD.requests / 2]))),
      p99: Math.round(median(waits[kind].map((sorted) => sorted[HERD.requests * 0.99 - 1]))),
      'CPU ms / answer': round(median(cpu[kind])),
    })),
  )
  for (const server of Object.values(servers)) await server.stop()
}

async function rounds(measure) {
  const all = Object.fromEntries(KINDS.map((kind) => [kind, []]))
  for (let index = 0; index <= ROUNDS; index++) {
    // Nobody is always the first, or always behind the same one.
    for (let turn = 0; turn < KINDS.length; turn++) {
      const kind = KINDS[(turn + index) % KINDS.length]
      const measured = await measure(kind)
      if (index > 0) all[kind].push(measured)
    }
  }
  return all
}

function ratios(took, kind, other) {
  return took[kind].map((ms, index) => ms / took[other][index])
}

function table(rowOf) {
  return Object.fromEntries(KINDS.map((kind) => [kind, rowOf(kind)]))
}

function round(value) {
  return Number(value.toFixed(2))
}
