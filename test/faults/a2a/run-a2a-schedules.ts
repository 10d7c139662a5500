import fc from 'fast-check'
import { loadCommandsModule } from '../../../src/state/load-commands.ts'
import type { A2ASchedule } from './a2a-schedule.ts'
import { a2aSchedules } from './a2a-schedule.ts'
import { playA2A } from './play-a2a.ts'

// A worker loads this module and then nothing more, so what answers a question is loaded with it.
await loadCommandsModule()

export interface A2AReport {
  readonly played: number
  /** How often each step and outcome was met. */
  readonly met: Readonly<Record<string, number>>
  /** The smallest schedule that breaks a promise, and which. */
  readonly failure?: { readonly schedule: A2ASchedule; readonly words: string }
}

/** Plays so many schedules, always the same ones for a seed. */
export async function runSchedules({
  seed,
  count,
}: {
  readonly seed: number
  readonly count: number
}): Promise<A2AReport> {
  const met: Record<string, number> = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const property = fc.asyncProperty(a2aSchedules, async (schedule) => {
      for (const [what, times] of await playA2A(schedule)) met[what] = (met[what] ?? 0) + times
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
