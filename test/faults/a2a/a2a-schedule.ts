import fc from 'fast-check'
import type { PostFault } from '../../support/a2a/memory-agent.ts'

/** What the agent does next, or what becomes of its connections or of the page. */
export type A2AStep =
  | { readonly do: 'append' | 'replace'; readonly artifact: 'a' | 'b' | 'c' }
  | { readonly do: 'working' | 'sign-in' | 'noise' | 'mute' | 'reload' | 'cut-after-snapshot' | 'listen-again' }
  | { readonly do: 'cut'; readonly how: 'end' | 'reset' | 'error' }
  | { readonly do: 'wait'; readonly ms: number }

/** One message and what is done about it. */
export interface A2ARound {
  readonly post: PostFault | undefined
  readonly steps: readonly A2AStep[]
}

export interface A2ASchedule {
  readonly first: A2ARound
  /** The agent asks, and this is what it does with the answer. Absent: it does not ask. */
  readonly second?: A2ARound | undefined
  readonly end: 'COMPLETED' | 'CANCELED' | 'FAILED' | 'REJECTED' | 'INPUT_REQUIRED'
  readonly streaming: boolean
}

const only = <Name extends A2AStep['do']>(name: Name) => fc.record({ do: fc.constant(name) })

const step: fc.Arbitrary<A2AStep> = fc.oneof(
  { weight: 7, arbitrary: fc.record({ do: fc.constant('append' as const), artifact: fc.constantFrom('a', 'b', 'c') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const), artifact: fc.constantFrom('a', 'b') }) },
  { weight: 1, arbitrary: only('working') },
  { weight: 1, arbitrary: only('sign-in') },
  { weight: 1, arbitrary: only('noise') },
  { weight: 1, arbitrary: only('mute') },
  { weight: 2, arbitrary: only('reload') },
  { weight: 1, arbitrary: only('cut-after-snapshot') },
  { weight: 1, arbitrary: only('listen-again') },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('cut' as const), how: fc.constantFrom('end', 'reset', 'error') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 900, 4_000, 70_000) }) },
)

const round: fc.Arbitrary<A2ARound> = fc.record({
  post: fc.constantFrom(undefined, undefined, undefined, undefined, 'answer-lost' as const, 'lost' as const),
  steps: fc.array(step, { maxLength: 16 }),
})

/** What an agent and its connections may do, one after the other. */
export const a2aSchedules: fc.Arbitrary<A2ASchedule> = fc.record({
  first: round,
  second: fc.option(round, { nil: undefined, freq: 2 }),
  end: fc.constantFrom('COMPLETED', 'COMPLETED', 'CANCELED', 'FAILED', 'REJECTED', 'INPUT_REQUIRED'),
  streaming: fc.constantFrom(true, true, true, true, false),
})
