import fc from 'fast-check'
import { playSchedule } from './play-schedule.ts'
import type { Schedule } from './schedule.ts'
import { schedules } from './schedule.ts'

export interface Report {
  readonly played: number
  readonly posts: number
  /** How often each fault, act and ending was met. */
  readonly met: Readonly<Record<string, number>>
  /** The smallest schedule that breaks a promise, and which. */
  readonly failure?: { readonly schedule: Schedule; readonly words: string }
}

/**
 * Plays so many schedules, always the same ones for a seed.
 * @param shrinks whether a failure is made smaller, which takes long
 * @param frames whether requests go over frames in place of HTTP
 */
export async function runSchedules({
  seed,
  count,
  shrinks = true,
  frames = false,
}: {
  readonly seed: number
  readonly count: number
  readonly shrinks?: boolean
  readonly frames?: boolean
}): Promise<Report> {
  const met: Record<string, number> = {}
  let posts = 0
  const add = (what: string, times: number): void => {
    met[what] = (met[what] ?? 0) + times
  }
  // Thousands of failures are made here that nobody reads.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const all = frames ? schedules.map((schedule) => ({ ...schedule, frames })) : schedules
    const property = fc.asyncProperty(all, async (schedule) => {
      const tally = await playSchedule(schedule)
      posts += tally.posts
      for (const [what, times] of tally.met) add(what, times)
      for (const ending of tally.endings) add(`ending: ${ending}`, 1)
    })
    const result = await fc.check(property, { seed, numRuns: count, endOnFailure: !shrinks })
    const [schedule] = result.counterexample ?? []
    const failure = schedule === undefined ? {} : { failure: { schedule, words: String(result.errorInstance) } }
    return { played: result.numRuns, posts, met, ...failure }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
