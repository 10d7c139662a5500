// npm run build && npm ci --prefix bench && npm run bench:wire
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { interleave, median, speed, timeBoth } from './measure.js'
import { CORPORA, makeLongLine, makeStream } from './packets.js'
import { PATHS } from './paths.js'

const PACKETS = 100_000
const WARM_UP = 3
const ROUNDS = 11
const LINE_ROUNDS = 9
const MEGABYTE = 1_000_000
/** Enough for a run of one path without a collection. */
const NEW_SPACE_MB = 1024

const FLOOR = 'JSON.parse alone'
const INNER = 'capstan: inner'
const ITERATOR = 'capstan: assist()'
const PEERS = ['@microsoft/fetch-event-source', 'ai', 'eventsource-parser', 'openai', 'zod']

const lineEnding = process.argv.includes('--crlf') ? '\r\n' : '\n'
const rounds = Number(process.argv.find((each) => each.startsWith('--rounds='))?.slice('--rounds='.length) ?? ROUNDS)
const versions = PEERS.map((name) => `${name} ${versionOf(name)}`).join(', ')
console.log(`Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}; ${versions}`)

const targets = {}
for (const corpus of Object.keys(CORPORA)) await measureCorpus(corpus)
targets[`one line: time 16 MB / 4 MB`] = verdict(await growth(LINE_ROUNDS), '<=', 6)
console.table(targets)

async function measureCorpus(corpus) {
  const stream = makeStream({ ...CORPORA[corpus], packets: PACKETS, lineEnding })
  await assertWhole(stream)
  const loadBefore = load()
  const both = await interleave(
    Object.fromEntries(Object.entries(PATHS).map(([name, read]) => [name, () => read(stream)])),
    { warmUp: WARM_UP, rounds, measure: timeBoth },
  )
  const [clock, processor] = ['clock', 'processor'].map((kind) =>
    Object.fromEntries(Object.entries(both).map(([name, times]) => [name, times.map((time) => time[kind])])),
  )
  const allocations = Object.fromEntries(Object.keys(PATHS).map((name) => [name, allocationsOf(name, corpus)]))

  console.log(
    `\n${corpus}: ${PACKETS} packets, ${(stream.bytes / MEGABYTE).toFixed(1)} MB in ${stream.chunks.length} chunks; ${rounds} rounds, load ${loadBefore} to ${load()}`,
  )
  console.table(
    Object.fromEntries(
      Object.keys(PATHS).map((name) => [
        name,
        {
          'ms (median)': round(median(clock[name])),
          'CPU ms': round(median(processor[name])),
          'time / JSON.parse': round(1 / speed(clock, name, FLOOR)),
          'CPU / JSON.parse': round(1 / speed(processor, name, FLOOR)),
          'heap B / packet': Math.round(allocations[name].heap),
          'buffers B / packet': Math.round(allocations[name].buffers),
        },
      ]),
    ),
  )
  targets[`${corpus}: inner, CPU / JSON.parse`] = verdict(1 / speed(processor, INNER, FLOOR), '<=', 2.2)
  targets[`${corpus}: assist(), CPU / JSON.parse`] = verdict(1 / speed(processor, ITERATOR, FLOOR), '<=', 3.5)
  targets[`${corpus}: inner, heap bytes per packet`] = verdict(allocations[INNER].heap, '<=', 950)
}

/** No path may win by leaving something out. */
async function assertWhole(stream) {
  for (const [name, read] of Object.entries(PATHS)) {
    const { packets, characters } = await read(stream)
    if (packets !== PACKETS || characters !== stream.text.length)
      throw new Error(
        `${name} read ${packets} packets and ${characters} characters of ${PACKETS} and ${stream.text.length}.`,
      )
  }
}

function verdict(measured, sign, target) {
  return { measured: round(measured), target: `${sign} ${target}`, met: measured <= target }
}

function allocationsOf(name, corpus) {
  const script = fileURLToPath(new URL('allocations.js', import.meta.url))
  const flags = [
    `--min-semi-space-size=${NEW_SPACE_MB}`,
    `--max-semi-space-size=${NEW_SPACE_MB}`,
    '--max-old-space-size=3000',
  ]
  const measured = JSON.parse(execFileSync(process.execPath, [...flags, script, name, corpus], { encoding: 'utf8' }))
  if (measured.collections > 0)
    console.warn(`${name}: ${measured.collections} collections while counting, so its bytes are too few.`)
  return measured
}

/** How much longer a line of 16 MB takes than one of 4 MB: 4 when the cost is linear, 16 when it is quadratic. */
async function growth(rounds) {
  const run = (megabytes) => {
    const chunks = makeLongLine(megabytes * MEGABYTE)
    return () => PATHS[INNER]({ runs: [chunks] })
  }
  const measured = await interleave({ short: run(4), long: run(16) }, { warmUp: 2, rounds })
  return 1 / speed(measured, 'long', 'short')
}

function versionOf(name) {
  const manifest = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}

function load() {
  return loadavg()[0]?.toFixed(1)
}

function round(value) {
  return Number(value.toFixed(2))
}
