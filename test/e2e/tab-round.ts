import fc from 'fast-check'

/** One thing that happens, so many milliseconds after the one before. `tab` counts the tabs that are open, from the oldest. */
export type RoundStep = { readonly after: number } & (
  | { readonly do: 'open' }
  | { readonly do: 'send' | 'queue'; readonly tab: number; readonly words: number; readonly everyMs: number }
  | { readonly do: 'stop' | 'close' | 'reload' | 'sign-out'; readonly tab: number }
  /** Its main thread is busy for so many milliseconds. */
  | { readonly do: 'block'; readonly tab: number; readonly ms: number }
)

/** What happens to one conversation in a browser context of its own. */
export interface TabRound {
  /** Tabs that are open at the beginning; steps open more, up to {@link MOST_TABS}. */
  readonly tabs: number
  readonly steps: readonly RoundStep[]
}

export const MOST_TABS = 4

const after = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 900 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2700, max: 3600 }) },
)
const tab = fc.nat(MOST_TABS - 1)
/** Around the time after which a leader counts as frozen, or short. */
const ms = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 2900, max: 3300 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 10_000 }) },
)
const words = fc.integer({ min: 1, max: 25 })
const everyMs = fc.integer({ min: 5, max: 80 })

const step: fc.Arbitrary<RoundStep> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({ after, do: fc.constantFrom('send' as const, 'queue' as const), tab, words, everyMs }),
  },
  { weight: 5, arbitrary: fc.record({ after, do: fc.constant('block' as const), tab, ms }) },
  {
    weight: 5,
    arbitrary: fc.record({ after, do: fc.constantFrom('close' as const, 'reload' as const, 'stop' as const), tab }),
  },
  { weight: 2, arbitrary: fc.record({ after, do: fc.constant('open' as const) }) },
  { weight: 1, arbitrary: fc.record({ after, do: fc.constant('sign-out' as const), tab }) },
)

const round: fc.Arbitrary<TabRound> = fc.record({
  tabs: fc.integer({ min: 1, max: MOST_TABS }),
  steps: fc.array(step, { minLength: 4, maxLength: 12, size: 'max' }),
})

/** So many rounds, always the same ones for a seed; of a smaller count, the first ones of a larger. */
export function planTabRounds({ seed, count }: { readonly seed: number; readonly count: number }): readonly TabRound[] {
  return fc.sample(round, { seed, numRuns: count })
}
