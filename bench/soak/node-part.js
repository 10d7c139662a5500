import { setTimeout as sleep } from 'node:timers/promises'
import { CapClient, backoff } from '../../dist/index.js'
import { serveAgent, WHOLE } from './serve-agent.js'

const AT_ONCE = 8
/** Between two looks at the handles, and the most of them until they stay the same. */
const LOOK_MS = 100
const MOST_LOOKS = 40

const openHandles = () => process.getActiveResourcesInfo().length

/**
 * Rounds of runs on a handler with a log in memory, each followed by a client whose connection may be cut, by one that reads
 * half and leaves, and by one that comes late. Samples after every `roundsPerSample` rounds, until `isOver(rounds)`.
 */
export async function soakNode({ roundsPerSample, isOver, onSample = () => {} }) {
  if (globalThis.gc === undefined)
    throw new Error('Heap can only be compared after a collection of garbage: start node with --expose-gc.')
  const server = await serveAgent()
  const begun = performance.now()
  const samples = []
  const done = { rounds: 0, whole: 0, wrong: 0, left: 0 }

  async function ask() {
    const client = new CapClient({ baseUrl: server.origin, retry: backoff({ baseMs: 20, capMs: 50, maxAttempts: 20 }) })
    let text = ''
    for await (const piece of client.chat('Where do rivers bend?')) text += piece
    if (text === WHOLE) done.whole += 1
    else done.wrong += 1
  }
  async function leave() {
    const controller = new AbortController()
    const client = new CapClient({ baseUrl: server.origin })
    try {
      for await (const _ of client.chat('Where do rivers bend?', { signal: controller.signal })) controller.abort()
    } catch {
      // The reader left: an error of that kind is what it gets.
    }
    done.left += 1
  }
  async function sample() {
    // How many connections an HTTP client keeps for later depends on the load: what is left without them is ours. What was
    // closed is gone a little later, and finalisers run after the first collection.
    server.closeIdle()
    let handles = openHandles()
    for (let look = 0, same = 0; look < MOST_LOOKS && same < 3; look += 1) {
      await sleep(LOOK_MS)
      const next = openHandles()
      same = next === handles ? same + 1 : 0
      handles = next
    }
    for (let pass = 0; pass < 3; pass += 1) {
      globalThis.gc()
      await sleep(20)
    }
    const taken = {
      atMs: performance.now() - begun,
      heap: process.memoryUsage().heapUsed,
      counts: { handles: openHandles(), connections: server.seen.open },
    }
    samples.push(taken)
    onSample(taken)
  }

  try {
    while (!isOver(done.rounds)) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => (index % 4 === 3 ? leave() : ask())))
      done.rounds += 1
      if (done.rounds % roundsPerSample === 0) await sample()
    }
  } finally {
    server.close()
  }
  return { samples, done: { ...done, ...server.seen } }
}
