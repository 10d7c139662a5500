import { checkSchedules, type ScheduleChoice, type ScheduleReport } from '../../support/check-schedules.ts'
import { arcpSchedules, type ArcpSchedule } from './arcp-schedule.ts'
import { playArcp } from './play-arcp.ts'

/** Plays random schedules of a client and a runtime of ARCP. */
export function runSchedules(choice: ScheduleChoice): Promise<ScheduleReport<ArcpSchedule>> {
  return checkSchedules(choice, arcpSchedules, playArcp)
}
