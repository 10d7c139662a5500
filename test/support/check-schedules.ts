import fc from 'fast-check'

/** Which schedules are played: always the same ones for a seed. */
export interface ScheduleChoice {
  readonly seed: number
  readonly count: number
  /** Whether a failure is made smaller, which takes long. @default true */
  readonly shrinks?: boolean | undefined
}

export interface ScheduleReport<Schedule> {
  readonly played: number
  /** How often each step, outcome and ending was met. */
  readonly met: Readonly<Record<string, number>>
  /** The smallest schedule that breaks a promise, and which. */
  readonly failure?: { readonly schedule: Schedule; readonly words: string }
}

/** Plays random schedules until one breaks a promise. @param play gives how often it has met what */
export async function checkSchedules<Schedule>(
  { seed, count, shrinks = true }: ScheduleChoice,
  schedules: fc.Arbitrary<Schedule>,
  play: (schedule: Schedule) => Promise<Iterable<readonly [what: string, times: number]>>,
): Promise<ScheduleReport<Schedule>> {
  const met: Record<string, number> = {}
  // Thousands of failures are made here that nobody reads.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const property = fc.asyncProperty(schedules, async (schedule) => {
      for (const [what, times] of await play(schedule)) met[what] = (met[what] ?? 0) + times
    })
    const result = await fc.check(property, { seed, numRuns: count, endOnFailure: !shrinks })
    const [schedule] = result.counterexample ?? []
    const failure = schedule === undefined ? {} : { failure: { schedule, words: String(result.errorInstance) } }
    return { played: result.numRuns, met, ...failure }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
