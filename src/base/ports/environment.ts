import type { Clock } from './clock.ts'
import { systemClock } from './clock.ts'
import type { Frames } from './frames.ts'
import { createFrames } from './frames.ts'
import type { ConnectionSlots } from './connection-slots.ts'
import { systemConnectionSlots } from './connection-slots.ts'
import type { Online } from './online.ts'
import { systemOnline } from './online.ts'
import { report } from './report.ts'
import type { Visibility } from './visibility.ts'
import { createVisibility } from './visibility.ts'

/** All ports of the core to the platform. Replace any of them in tests, or to run outside of a browser. */
export interface Environment {
  readonly clock: Clock
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number
  readonly online: Online
  readonly visibility: Visibility
  /** Shares out the connections a browser has. Absent: no limit. */
  readonly slots?: ConnectionSlots | undefined
  readonly frames: Frames
  /** A new random UUID. */
  readonly uuid: () => string
  /** Reports errors of the app, such as a callback that throws. Each is reported once and does not affect the run. */
  readonly report: (error: unknown) => void
}

/** The environment of the machine the code runs on. */
export const systemEnvironment: Environment = {
  clock: systemClock,
  random: () => Math.random(),
  online: systemOnline,
  visibility: createVisibility(),
  slots: systemConnectionSlots(),
  frames: createFrames(),
  uuid: createUuid,
  report,
}

/** RFC 4122, version 4. Made by hand: `crypto.randomUUID` exists only on pages with HTTPS, `getRandomValues` everywhere. */
function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(36))
  // The digit 8 is the variant, whose upper bits are fixed.
  return '00000000-0000-4000-8000-000000000000'.replace(/[08]/g, (digit, at: number) =>
    (Number(digit) | (Number(bytes[at]) & (digit === '8' ? 3 : 15))).toString(16),
  )
}
