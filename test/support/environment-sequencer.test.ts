import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { EnvironmentSequencer } from './environment-sequencer.ts'

const CASES = join(import.meta.dirname, 'worker-cases')

/** In this order vitest would run them: the larger first. Those called b and d want jsdom. */
const SIZES: Readonly<Record<string, number>> = { a: 4, b: 3, c: 2, d: 1 }

it('puts the files of one project and environment next to each other, and leaves the order of vitest within them', async () => {
  const sizeOf = (key: string): number => SIZES[/(\w)\.case\.ts$/.exec(key)?.[1] ?? ''] ?? 0
  // What the order is made of is all that is asked of vitest.
  const vitest = {
    config: { root: CASES },
    cache: { getFileTestResults: () => undefined, getFileStats: (key: string) => ({ size: sizeOf(key) }) },
  } as unknown as Vitest
  const specs = ['slow', 'unit'].flatMap((name) =>
    Object.keys(SIZES).map((file) => ({
      moduleId: join(CASES, `${file}.case.ts`),
      project: { name, config: { isolate: false, environment: 'node', sequence: { groupOrder: 0 } } },
    })),
  ) as unknown as TestSpecification[] // For the same reason.
  // oxlint-disable-next-line unicorn/no-array-sort -- a method of a sequencer, not of an array
  const sorted = await new EnvironmentSequencer(vitest).sort(specs.toReversed())
  expect(sorted.map(({ project, moduleId }) => `${project.name} ${moduleId.slice(CASES.length + 1, -8)}`)).toEqual([
    'slow a',
    'slow c',
    'slow b',
    'slow d',
    'unit a',
    'unit c',
    'unit b',
    'unit d',
  ])
})
