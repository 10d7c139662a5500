import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { loadArcpOnDemand } from '../support/load-arcp-on-demand.ts'
import { DIALECT_MOVES, playDialect, TRUTH } from './arcp/play-dialect.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

const moves = fc.array(fc.constantFrom(...DIALECT_MOVES), { minLength: 1, maxLength: 16 })
const setting = fc.record({ historyFirst: fc.boolean(), freesAcked: fc.boolean(), doubles: fc.boolean(), moves })

it('a job of dialect 1.1 is submitted once and said once, whatever happens to connections, sessions and pages', async () => {
  await fc.assert(
    fc.asyncProperty(setting, async (given) => {
      const { said, endings, jobs, isPrefix } = await playDialect(given)
      expect(jobs).toBe(1)
      expect(isPrefix).toBe(true)
      expect(said).toBe(TRUTH)
      expect(endings).toEqual(['finished'])
    }),
    { numRuns: Number(process.env.DIALECT_RUNS ?? 60), seed: 20_261_125, includeErrorInReport: true },
  )
})
