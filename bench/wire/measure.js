import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Collects all garbage now, so that no contender pays for another's. */
export const collectGarbage = runInNewContext('gc')

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export async function time(run) {
  collectGarbage()
  const start = performance.now()
  await run()
  return performance.now() - start
}

/** The same, with the processor time of the whole process next to it: on a machine that does other work too, that is the better figure. */
export async function timeBoth(run) {
  collectGarbage()
  const start = performance.now()
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return { clock: performance.now() - start, processor: (user + system) / 1000 }
}

/**
 * Runs every contender once per round, each round in another order, and gives their times by round:
 * `times[name][round]`, in milliseconds, or whatever `measure` gives. A machine that is slow for a while is slow for all of them.
 */
export async function interleave(contenders, { warmUp, rounds, measure = time }) {
  const names = Object.keys(contenders)
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -warmUp; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + warmUp) % names.length]
      const measured = await measure(contenders[name])
      if (round >= 0) times[name].push(measured)
    }
  }
  return times
}

/** How many times faster `name` is than `other`: the median over the rounds. */
export function speed(times, name, other) {
  return median(times[name].map((ms, round) => times[other][round] / ms))
}
