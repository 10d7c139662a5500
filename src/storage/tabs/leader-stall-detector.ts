import type { Clock } from '../../base/ports/clock.ts'

/** A leader that does not acknowledge a call within this time counts as frozen, in milliseconds. */
const WAIT_LIMIT_MS = 3000
/**
 * A timer that fires this late, in milliseconds, was delayed in this tab: the acknowledgement may already be in its
 * message queue.
 */
const LATE_MS = 500

/** Stall detector (watchdog) of the leader, while a call waits for it. */
export interface LeaderStallDetector {
  /** Begins to count; continues if it does already. */
  start(): void
  stop(): void
}

export function createLeaderStallDetector(clock: Clock, onStalled: () => void): LeaderStallDetector {
  let cancel: (() => void) | undefined

  function wait(ms: number): void {
    const due = clock.now() + ms
    cancel = clock.after(ms, () => {
      if (clock.now() - due > LATE_MS) return wait(LATE_MS)
      cancel = undefined
      onStalled()
    })
  }

  return {
    start() {
      if (cancel === undefined) wait(WAIT_LIMIT_MS)
    },
    stop() {
      cancel?.()
      cancel = undefined
    },
  }
}
