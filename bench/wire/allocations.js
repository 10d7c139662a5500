// Runs in its own process whose new space is so large that nothing is collected while one path reads: what the heap
// has grown by is then all that was allocated. Prints bytes per packet as JSON.
import { GCProfiler } from 'node:v8'
import { collectGarbage } from './measure.js'
import { CORPORA, makeStream } from './packets.js'
import { PATHS } from './paths.js'

const WARM_UP_PACKETS = 20_000
const PACKETS = 100_000

const [name, corpus] = process.argv.slice(2)
const read = PATHS[name]
const warmUp = makeStream({ ...CORPORA[corpus], packets: WARM_UP_PACKETS, seed: 2 })
const stream = makeStream({ ...CORPORA[corpus], packets: PACKETS, seed: 1 })
for (let round = 0; round < 10; round += 1) await read(warmUp)
await new Promise((resolve) => setTimeout(resolve, 100))
collectGarbage()

const collections = new GCProfiler()
collections.start()
const before = process.memoryUsage()
await read(stream)
const after = process.memoryUsage()
const { statistics } = collections.stop()

console.log(
  JSON.stringify({
    heap: (after.heapUsed - before.heapUsed) / PACKETS,
    buffers: (after.arrayBuffers - before.arrayBuffers) / PACKETS,
    collections: statistics.length,
  }),
)
