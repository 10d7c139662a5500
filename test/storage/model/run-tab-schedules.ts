import fc from 'fast-check'
import { playTabs } from './play-tabs.ts'
import type { TabSchedule } from './tab-schedule.ts'
import { tabSchedules } from './tab-schedule.ts'

export interface TabReport {
  readonly played: number
  /** How often each step and outcome was met. */
  readonly met: Readonly<Record<string, number>>
  /** The smallest schedule that breaks a promise, and which. */
  readonly failure?: { readonly schedule: TabSchedule; readonly words: string }
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
}): Promise<TabReport> {
  const met: Record<string, number> = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const property = fc.asyncProperty(tabSchedules, async (schedule) => {
      for (const [what, times] of await playTabs(schedule)) met[what] = (met[what] ?? 0) + times
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
