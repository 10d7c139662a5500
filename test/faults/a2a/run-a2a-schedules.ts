import { loadCommandsModule } from '../../../src/state/chat.ts'
import { checkSchedules, type ScheduleChoice, type ScheduleReport } from '../../support/check-schedules.ts'
import { a2aSchedules, type A2ASchedule } from './a2a-schedule.ts'
import { playA2A } from './play-a2a.ts'

// A worker loads this module and then nothing more, so what answers a question is loaded with it.
await loadCommandsModule()

/** Plays random schedules of a client and an agent of A2A. */
export function runSchedules(choice: ScheduleChoice): Promise<ScheduleReport<A2ASchedule>> {
  return checkSchedules(choice, a2aSchedules, playA2A)
}
