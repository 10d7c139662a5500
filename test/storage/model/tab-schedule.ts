import fc from 'fast-check'

/** One thing that happens, so many milliseconds after the one before. `tab` counts the tabs that are open, from the oldest. */
export type Step = { readonly after: number } & (
  | { readonly do: 'open' | 'cut' }
  | {
      readonly do:
        | 'send'
        | 'queue'
        | 'allow'
        | 'refuse'
        | 'decline'
        | 'stop'
        | 'hide'
        | 'show'
        | 'close'
        | 'crash'
        | 'sign-out'
        | 'remove'
      readonly tab: number
    }
  /** Its main thread is busy. */
  | { readonly do: 'block'; readonly tab: number; readonly ms: number }
  | { readonly do: 'disk'; readonly fault: 'QuotaExceededError' | 'UnknownError' | 'none' }
)

export interface TabSchedule {
  /** Latencies and the agent's words follow from it. */
  readonly seed: number
  /** Tabs that are open at the beginning; more than this are opened by steps, up to four. */
  readonly tabs: number
  readonly steps: readonly Step[]
  /** Whether the agent asks for consent now and then, and commands take their time and are lost. @default false */
  readonly asks?: boolean | undefined
}

export const MOST_TABS = 4

const after = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 60 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 1500 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2800, max: 6000 }) },
)
const tab = fc.nat(MOST_TABS - 1)
const seed = fc.integer({ min: 1, max: 2 ** 31 - 1 })
const blocked = fc.oneof(
  fc.integer({ min: 0, max: 400 }),
  fc.integer({ min: 2500, max: 3600 }),
  fc.integer({ min: 0, max: 10_000 }),
)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ after, do: fc.constantFrom('send' as const, 'queue' as const), tab }) },
  {
    weight: 8,
    arbitrary: fc.record({
      after,
      do: fc.constantFrom('allow' as const, 'allow' as const, 'refuse' as const, 'decline' as const),
      tab,
    }),
  },
  { weight: 5, arbitrary: fc.record({ after, do: fc.constant('block' as const), tab, ms: blocked }) },
  {
    weight: 2,
    arbitrary: fc.record({ after, do: fc.constantFrom('stop' as const, 'hide' as const, 'show' as const), tab }),
  },
  { weight: 3, arbitrary: fc.record({ after, do: fc.constantFrom('close' as const, 'crash' as const), tab }) },
  { weight: 3, arbitrary: fc.record({ after, do: fc.constantFrom('open' as const, 'open' as const, 'cut' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      after,
      do: fc.constant('disk' as const),
      fault: fc.constantFrom('QuotaExceededError' as const, 'UnknownError' as const, 'none' as const, 'none' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ after, do: fc.constantFrom('sign-out' as const, 'remove' as const), tab }) },
)

/** A tab that is busy while another one signs out holds up the deletion, so that the database cannot be opened for that long. */
const heldUpDeletion: fc.Arbitrary<Step[]> = fc
  .tuple(fc.integer({ min: 4000, max: 10_000 }), fc.nat(60), after)
  .map(([ms, soon, later]) => [
    { after: later, do: 'block', tab: 0, ms },
    { after: soon, do: 'sign-out', tab: 1 },
  ])

const someSteps: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { weight: 9, arbitrary: fc.array(step, { minLength: 1, maxLength: 14 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(heldUpDeletion, fc.array(step, { minLength: 1, maxLength: 10 }))
      .map(([first, rest]) => [...first, ...rest]),
  },
)

/**
 * The leader freezes behind an answer that it could not write, and a tab that knows only the disk takes the lead from it: the other
 * follower has seen more than its new leader.
 */
const staleLeader: fc.Arbitrary<TabSchedule> = fc
  .record({
    seed,
    asked: fc.integer({ min: 600, max: 2400 }),
    what: fc.constantFrom('allow' as const, 'decline' as const),
    by: fc.nat(1),
    answered: fc.integer({ min: 60, max: 600 }),
    ms: fc.integer({ min: 3600, max: 8000 }),
    soon: fc.nat(60),
    rest: fc.array(step, { maxLength: 5 }),
  })
  .map(({ seed, asked, what, by, answered, ms, soon, rest }) => ({
    seed,
    tabs: 2,
    asks: true,
    steps: [
      { after: 60, do: 'send', tab: 0 },
      { after: asked, do: 'disk', fault: 'QuotaExceededError' },
      { after: 0, do: what, tab: by },
      { after: answered, do: 'block', tab: 0, ms },
      { after: soon, do: 'open' },
      { after: soon, do: 'queue', tab: 2 },
      ...rest,
    ],
  }))

export const tabSchedules: fc.Arbitrary<TabSchedule> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ seed, tabs: fc.integer({ min: 1, max: MOST_TABS }), steps: someSteps, asks: fc.boolean() }),
  },
  { weight: 1, arbitrary: staleLeader },
)
