import type { Report } from './run-schedules.ts'
import { runSchedules as play } from './run-schedules.ts'

/** The same schedules over frames, as over WebSockets. */
export function runSchedules(how: { readonly seed: number; readonly count: number }): Promise<Report> {
  return play({ ...how, frames: true })
}
