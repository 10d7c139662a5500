import { checkSchedules, type ScheduleChoice, type ScheduleReport } from '../../support/check-schedules.ts'
import { consentSchedules, type ConsentSchedule } from './consent-schedule.ts'
import { playConsent } from './play-consent.ts'

/** Plays random schedules of an agent that asks for consent. */
export function runSchedules(choice: ScheduleChoice): Promise<ScheduleReport<ConsentSchedule>> {
  return checkSchedules(choice, consentSchedules, playConsent)
}
