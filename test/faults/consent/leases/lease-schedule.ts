import fc from 'fast-check'

/** One thing that happens, so many milliseconds after the one before. */
export type LeaseStep = { readonly after: number } & (
  | { readonly do: 'grant' | 'deny' | 'revoke' | 'stop' | 'hide' | 'show' | 'reload' | 'cut' }
  | { readonly do: 'extend'; readonly ms: number }
  /** No connection can be opened for a while. */
  | { readonly do: 'outage'; readonly ms: number }
  | { readonly do: 'block' | 'server-block'; readonly ms: number }
  /** The runtime takes the lease back by itself. */
  | { readonly do: 'withdraw' }
)

/** A tool that works under a lease, over the real runtime. Plain JSON, so that a failed one can be kept. */
export interface LeaseSchedule {
  readonly wire: 'arcp'
  readonly seed: number
  /** How long the tool asks to be allowed, and how often, and at which pace it acts. */
  readonly leaseSeconds: number
  readonly uses: number
  readonly paceMs: number
  readonly steps: readonly LeaseStep[]
}

const after = fc.constantFrom(0, 1, 5, 20, 60, 150, 400, 400, 1500, 5000)

const step: fc.Arbitrary<LeaseStep> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ after, do: fc.constantFrom('grant', 'grant', 'grant', 'grant', 'deny') }) },
  { weight: 4, arbitrary: fc.record({ after, do: fc.constantFrom('revoke', 'revoke', 'withdraw') }) },
  {
    weight: 2,
    arbitrary: fc.record({ after, do: fc.constant('extend' as const), ms: fc.constantFrom(1000, 10_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ after, do: fc.constantFrom('stop', 'hide', 'show', 'show', 'reload', 'cut', 'cut') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ after, do: fc.constant('outage' as const), ms: fc.constantFrom(300, 3000, 12_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ after, do: fc.constantFrom('block', 'server-block'), ms: fc.constantFrom(100, 2000) }),
  },
)

export const leaseSchedules: fc.Arbitrary<LeaseSchedule> = fc.record({
  wire: fc.constant('arcp' as const),
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  leaseSeconds: fc.constantFrom(1, 5, 60),
  uses: fc.constantFrom(1, 3, 20),
  paceMs: fc.constantFrom(20, 300, 1000, 5000),
  steps: fc.array(step, { minLength: 1, maxLength: 10 }),
})
