import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { CYCLE, soakBrowser } from '../../bench/soak/browser-part.js'
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
          isOver: (rounds) => rounds >= 3 * CYCLE,
        })
        expect(problems).toEqual([])
        expect(done).toMatchObject({
          rounds: 60,
          whole: 45,
          wrong: 0,
          switched: 15,
          unmounted: 15,
          stopped: 15,
          removed: 10,
        })
        expect(done.cuts).toBeGreaterThanOrEqual(4)
        const [, second, third] = samples.map(({ counts }) => counts)
        expect(third).toEqual(second)
        expect(third).toMatchObject({ documents: 1, connections: 0, threads: 5 })
      } finally {
        await browser.close()
      }
    },
  )
})
