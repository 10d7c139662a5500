import fc from 'fast-check'
import { checkSchedules, type ScheduleChoice, type ScheduleReport } from '../../support/check-schedules.ts'
import { consentSchedules, type ConsentSchedule } from './consent-schedule.ts'
import { leaseSchedules, type LeaseSchedule } from './leases/lease-schedule.ts'
import { playLeases } from './leases/play-leases.ts'
import { playConsent } from './play-consent.ts'

export type AnyConsentSchedule = ConsentSchedule | LeaseSchedule

const schedules: fc.Arbitrary<AnyConsentSchedule> = fc.oneof(
  { weight: 9, arbitrary: consentSchedules },
  { weight: 1, arbitrary: leaseSchedules },
)

/** Plays random schedules of agents that ask for consent, and of tools that work under a lease. */
export function runSchedules(choice: ScheduleChoice): Promise<ScheduleReport<AnyConsentSchedule>> {
  return checkSchedules<AnyConsentSchedule>(choice, schedules, playAny)
}

export function playAny(schedule: AnyConsentSchedule): Promise<ReadonlyMap<string, number>> {
  return schedule.wire === 'arcp' ? playLeases(schedule) : playConsent(schedule)
}
