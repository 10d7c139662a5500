import { systemClock, type Clock } from '../../../base/ports/clock.ts'
import { systemEnvironment } from '../../../base/ports/environment.ts'

/** Options of an event log that several processes share. */
export interface SharedLogOptions {
  /** Milliseconds a finished run stays readable (CAP section 6, rule 3). @default 600_000 */
  readonly ttlMs?: number | undefined
  /** Milliseconds a run is remembered after that, so that it is refused and not run again. @default 86_400_000 */
  readonly rememberMs?: number | undefined
  /**
   * Most that finished runs take together, in bytes of their entries; the oldest go first.
   *
   * @default no limit besides the store's own
   */
  readonly maxBytes?: number | undefined
  /**
   * A process that has not renewed its lease for so many milliseconds counts as dead, and its runs as orphaned.
   *
   * @default 11_000
   */
  readonly leaseMs?: number | undefined
  /** Milliseconds to wait for the store before a call fails; longer than `cancelTimeoutMs` of the handler. @default 5000 */
  readonly commandTimeoutMs?: number | undefined
  /** Timers and time: replaced in tests. @default the platform's */
  readonly clock?: Clock | undefined
  /** Names runs and writers. @default random UUIDs */
  readonly uuid?: (() => string) | undefined
}

export function sharedLogDefaults({
  ttlMs = 600_000,
  rememberMs = 86_400_000,
  maxBytes,
  leaseMs = 11_000,
  commandTimeoutMs = 5000,
  clock = systemClock,
  uuid = systemEnvironment.uuid,
}: SharedLogOptions) {
  return { ttlMs, rememberMs, maxBytes, leaseMs, commandTimeoutMs, clock, uuid }
}

/** Milliseconds that a command to another process is stored. The waiting caller has timed out long before. */
export const KEEP_LETTERS_MS = 60_000
