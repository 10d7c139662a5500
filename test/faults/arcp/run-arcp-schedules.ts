import fc from 'fast-check'
import type { ArcpSchedule } from './arcp-schedule.ts'
import { arcpSchedules } from './arcp-schedule.ts'
import { playArcp } from './play-arcp.ts'

export interface ArcpReport {
  readonly played: number
  /** How often each step, answer and ending was met. */
  readonly met: Readonly<Record<string, number>>
  /** The smallest schedule that breaks a promise, and which. */
  readonly failure?: { readonly schedule: ArcpSchedule; readonly words: string }
}

/** Plays so many schedules, always the same ones for a seed. */
export async function runSchedules({
  seed,
  count,
}: {
  readonly seed: number
  readonly count: number
}): Promise<ArcpReport> {
  const met: Record<string, number> = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const property = fc.asyncProperty(arcpSchedules, async (schedule) => {
      for (const [what, times] of await playArcp(schedule)) met[what] = (met[what] ?? 0) + times
    })
    const result = await fc.check(property, { seed, numRuns: count })
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
