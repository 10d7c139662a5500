import fc from 'fast-check'

/** Jobs of one schedule, all on one session. */
export const JOBS = 3

/** What the runtime does, what becomes of its connections, and what the user does. */
export type ArcpStep =
  | { readonly type: 'say' | 'ask' | 'end' | 'fail' | 'leave' | 'resume' | 'stop'; readonly job: number }
  /** The first question that is open. `wrong`: the runtime refuses the value, and the question stays open. */
  | { readonly type: 'answer'; readonly job: number; readonly wrong: boolean }
  /** The user allows what is asked, or does not. */
  | { readonly type: 'permit'; readonly job: number; readonly grant: boolean }
  | { readonly type: 'cut'; readonly refuse: number }
  /** `mute`: the connection says nothing any more. `double`: every frame comes twice, from now on or no longer. */
  | { readonly type: 'mute' | 'double' | 'evict' | 'reload' }
  /** Frames of different jobs overtake each other, from now on or no longer. */
  | { readonly type: 'reorder' }
  | { readonly type: 'wait'; readonly ms: number }

/** Everything that will happen. Plain JSON, so that a failed one can be kept. */
export interface ArcpSchedule {
  /** What `random()` gives. */
  readonly chance: number
  readonly steps: readonly ArcpStep[]
}

const job = fc.nat(JOBS - 1)
const ofJob = (type: Extract<ArcpStep, { readonly grant?: undefined; readonly job: number }>['type']) =>
  fc.record({ type: fc.constant(type), job })

const step = fc.oneof(
  { weight: 8, arbitrary: ofJob('say') },
  { weight: 2, arbitrary: ofJob('ask') },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('answer'), job, wrong: fc.constantFrom(false, false, true) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('permit'), job, grant: fc.boolean() }) },
  { weight: 1, arbitrary: ofJob('end') },
  { weight: 1, arbitrary: ofJob('fail') },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('cut'), refuse: fc.constantFrom(0, 0, 1, 3) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('mute') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('double') }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('reorder') }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('evict') }) },
  { weight: 1, arbitrary: ofJob('leave') },
  { weight: 2, arbitrary: ofJob('resume') },
  { weight: 1, arbitrary: ofJob('stop') },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reload') }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('wait'), ms: fc.constantFrom(1, 900, 4_000, 70_000) }) },
) as fc.Arbitrary<ArcpStep> // constants lose their literal types on the way

export const arcpSchedules: fc.Arbitrary<ArcpSchedule> = fc.record({
  chance: fc.constantFrom(0, 0.3, 0.9),
  // Most faults need several steps before them.
  steps: fc.array(step, { maxLength: 40, size: 'max' }),
})
