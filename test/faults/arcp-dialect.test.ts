import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { loadArcpOnDemand } from '../support/load-arcp-on-demand.ts'
import { DIALECT_MOVES, playDialect, TRUTH } from './arcp/play-dialect.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

const move = fc.record({ move: fc.constantFrom(...DIALECT_MOVES), job: fc.constantFrom(0 as const, 1 as const) })
const schedules = fc.record({
  historyFirst: fc.boolean(),
  freesAcked: fc.boolean(),
  doubles: fc.boolean(),
  // Most faults need several steps before them.
  moves: fc.array(move, { minLength: 1, maxLength: 24, size: 'max' }),
})

it('jobs of dialect 1.1 are submitted once and said once, whatever happens to connections, sessions and pages', async () => {
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const { jobs, played } = await playDialect(schedule)
      expect(jobs).toBe(2)
      const whole = { said: TRUTH, isPrefix: true, endings: ['finished'] }
      expect(played).toEqual([whole, whole])
    }),
    { numRuns: 60, seed: 20_261_125, includeErrorInReport: true },
  )
})
