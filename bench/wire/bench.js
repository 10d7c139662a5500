// npm run build && npm ci --prefix bench && npm run bench:wire
import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { interleave, median, speed } from './measure.js'
import { makeLongLine, makeStream } from './packets.js'
import { PATHS } from './paths.js'

const PACKETS = 100_000
const WARM_UP = 3
const ROUNDS = 11
const LINE_ROUNDS = 9
const MEGABYTE = 1_000_000
/** Enough for a run of one path without a collection. */
const NEW_SPACE_MB = 1024

const OURS = 'capstan'

const lineEnding = process.argv.includes('--crlf') ? '\r\n' : '\n'
const stream = makeStream({ packets: PACKETS, lineEnding })
console.log(`${PACKETS} packets, ${(stream.bytes / MEGABYTE).toFixed(1)} MB in ${stream.chunks.length} chunks; Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}`)

for (const [name, read] of Object.entries(PATHS)) {
  const { packets, characters } = await read(stream)
  if (packets !== PACKETS || characters !== stream.text.length) throw new Error(`${name} read ${packets} packets and ${characters} characters of ${PACKETS} and ${stream.text.length}.`)
}

const times = await interleave(
  Object.fromEntries(Object.entries(PATHS).map(([name, read]) => [name, () => read(stream)])),
  { warmUp: WARM_UP, rounds: ROUNDS },
)
const allocations = Object.fromEntries(Object.keys(PATHS).map((name) => [name, allocationsOf(name)]))
const lines = await growth(OURS, LINE_ROUNDS)

console.table(
  Object.fromEntries(
    Object.keys(PATHS).map((name) => [
      name,
      {
        'ms (median)': round(median(times[name])),
        'packets per ms': round(PACKETS / median(times[name])),
        'time / JSON.parse': round(1 / speed(times, name, 'JSON.parse alone')),
        'heap B / packet': Math.round(allocations[name].heap),
        'buffers B / packet': Math.round(allocations[name].buffers),
      },
    ]),
  ),
)
console.table({
  'speed / JSON.parse alone': verdict(speed(times, OURS, 'JSON.parse alone'), '>=', 0.45),
  'speed / fetch-event-source + zod': verdict(speed(times, OURS, 'fetch-event-source + zod'), '>=', 1.4),
  'speed / ai + zod': verdict(speed(times, OURS, 'ai + zod'), '>=', 4),
  'heap bytes per packet': verdict(allocations[OURS].heap, '<=', 900),
  'one line: time 16 MB / 4 MB': verdict(lines, '<=', 6),
})

function verdict(measured, sign, target) {
  return { measured: round(measured), target: `${sign} ${target}`, met: sign === '>=' ? measured >= target : measured <= target }
}

function allocationsOf(name) {
  const script = fileURLToPath(new URL('allocations.js', import.meta.url))
  const flags = [`--min-semi-space-size=${NEW_SPACE_MB}`, `--max-semi-space-size=${NEW_SPACE_MB}`, '--max-old-space-size=3000']
  const measured = JSON.parse(execFileSync(process.execPath, [...flags, script, name], { encoding: 'utf8' }))
  if (measured.collections > 0) console.warn(`${name}: ${measured.collections} collections while counting, so its bytes are too few.`)
  return measured
}

/** How much longer a line of 16 MB takes than one of 4 MB: 4 when the cost is linear, 16 when it is quadratic. */
async function growth(name, rounds) {
  const run = (megabytes) => {
    const chunks = makeLongLine(megabytes * MEGABYTE)
    return () => PATHS[name]({ chunks })
  }
  const measured = await interleave({ short: run(4), long: run(16) }, { warmUp: 2, rounds })
  return 1 / speed(measured, 'long', 'short')
}

function round(value) {
  return Number(value.toFixed(2))
}
