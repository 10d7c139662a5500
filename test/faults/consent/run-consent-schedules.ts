import fc from 'fast-check'
import { consentSchedules, type ConsentSchedule } from './consent-schedule.ts'
import { playConsent } from './play-consent.ts'

export interface ConsentReport {
  readonly played: number
  /** How often each step and outcome was met. */
  readonly met: Readonly<Record<string, number>>
  /** The smallest schedule that breaks a promise, and which. */
  readonly failure?: { readonly schedule: ConsentSchedule; readonly words: string }
}

/** Plays so many schedules, always the same ones for a seed. @param shrinks whether a failure is made smaller, which takes long */
export async function runSchedules({
  seed,
  count,
  shrinks = true,
}: {
  readonly seed: number
  readonly count: number
  readonly shrinks?: boolean
}): Promise<ConsentReport> {
  const met: Record<string, number> = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const property = fc.asyncProperty(consentSchedules, async (schedule) => {
      for (const [what, times] of await playConsent(schedule)) met[what] = (met[what] ?? 0) + times
    })
    const result = await fc.check(property, { seed, numRuns: count, endOnFailure: !shrinks })
    const [schedule] = result.counterexample ?? []
    return {
      played: result.numRuns,
      met,
      ...(schedule === undefined ? {} : { failure: { schedule, words: String(result.errorInstance) } }),
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
