import { checkSchedules, type ScheduleChoice, type ScheduleReport } from '../../support/check-schedules.ts'
import { playTabs } from './play-tabs.ts'
import { tabSchedules, type TabSchedule } from './tab-schedule.ts'

/** Plays random schedules of tabs that share their chats. */
export function runSchedules(choice: ScheduleChoice): Promise<ScheduleReport<TabSchedule>> {
  return checkSchedules(choice, tabSchedules, playTabs)
}
