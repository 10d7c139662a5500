import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { CYCLE, soakBrowser } from '../../bench/soak/browser-part.js'
import type { Sample } from '../../bench/soak/trend.js'
import { ROOT } from '../layers/files.ts'
import { launchChromium } from './chromium.ts'

// A fixed number of rounds of `npm run soak`: what is done is counted, and nothing that is counted grows. The slope of a heap says
// something after minutes only.

const NODE_ROUNDS = `
import { soakNode } from './bench/soak/node-part.js'
import { judge } from './bench/soak/trend.js'
const { samples, done } = await soakNode({ roundsPerSample: 2, isOver: (rounds) => rounds >= 12 })
console.log(JSON.stringify({ done, growing: judge(samples).growing, samples: samples.length }))
process.exit()
`

function leastOf(samples: readonly Sample[]): Record<string, number> {
  const least: Record<string, number> = {}
  for (const { counts } of samples) {
    for (const [name, count] of Object.entries(counts)) least[name] = Math.min(least[name] ?? count, count)
  }
  return least
}

describe('a soak', () => {
  it(
    'of the handler in Node answers everything whole and keeps no connection and no handle',
    { timeout: 120_000 },
    async () => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--expose-gc', '--input-type=module', '--eval', NODE_ROUNDS],
        { cwd: ROOT },
      )
      expect(JSON.parse(stdout)).toMatchObject({
        done: { rounds: 12, whole: 72, wrong: 0, left: 24, runs: 96, open: 0 },
        growing: [],
        samples: 6,
      })
    },
  )

  it(
    'of a chat in Chromium answers everything whole and keeps no node and no listener',
    { timeout: 120_000 },
    async () => {
      const browser = await launchChromium()
      try {
        const { samples, problems, done } = await soakBrowser({
          browser,
          roundsPerSample: CYCLE,
          isOver: (rounds) => rounds >= 4 * CYCLE,
        })
        expect(problems).toEqual([])
        expect(done).toMatchObject({
          rounds: 80,
          whole: 60,
          wrong: 0,
          switched: 20,
          unmounted: 20,
          stopped: 20,
          removed: 15,
        })
        expect(done.cuts).toBeGreaterThanOrEqual(4)
        expect(samples).toHaveLength(4)
        // Work that is still under way may hold a listener at one look. What is kept for ever is there at every later one.
        const early = leastOf(samples.slice(0, 2))
        const late = leastOf(samples.slice(2))
        expect(late).toEqual(early)
        expect(late).toMatchObject({ documents: 1, connections: 0, threads: 5 })
      } finally {
        await browser.close()
      }
    },
  )
})
