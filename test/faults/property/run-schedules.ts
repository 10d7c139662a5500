import { checkSchedules, type ScheduleChoice, type ScheduleReport } from '../../support/check-schedules.ts'
import { playSchedule } from './play-schedule.ts'
import type { Schedule } from './schedule.ts'
import { schedules } from './schedule.ts'

export interface Report extends ScheduleReport<Schedule> {
  readonly posts: number
}

/** Plays random schedules of faults and acts. @param frames whether requests go over frames in place of HTTP */
export async function runSchedules({
  frames = false,
  ...choice
}: ScheduleChoice & { readonly frames?: boolean }): Promise<Report> {
  let posts = 0
  const all = frames ? schedules.map((schedule) => ({ ...schedule, frames })) : schedules
  const report = await checkSchedules(choice, all, async (schedule) => {
    const tally = await playSchedule(schedule)
    posts += tally.posts
    return [...tally.met, ...tally.endings.map((ending) => [`ending: ${ending}`, 1] as const)]
  })
  return { ...report, posts }
}
