import type { Clock } from '../base/clock.ts'
import type { Visibility } from '../base/visibility.ts'

/** Why a line that said nothing wrong counts as lost: nobody spoke, or this machine was asleep. */
export type Silence = 'silent' | 'slept'

/** `content`: packets. `empty`: a sign of life without content, perhaps a heartbeat. `partial`: bytes that completed nothing. */
export type LifeSign = 'content' | 'empty' | 'partial'

/** Stall detector (watchdog): finds connections that are dead without having ended. */
export interface StallDetector {
  /** Begins, or goes on, to count the silence. */
  listen(): void
  /** Something came. */
  heard(sign: LifeSign): void
  /** Stops counting, while the consumer is busy or the line is gone. */
  pause(): void
}

export interface StallDetectorOptions {
  readonly clock: Clock
  readonly visibility: Visibility
  readonly timeoutMs: number
  onLost(silence: Silence): void
}

/** How often to look: a sleep shows itself as a look that comes much too late. */
const LOOK_MS = 5000
const SLEEP_MS = 15_000
/** A line that is known to beat may be given up sooner, though never before it missed two beats. */
const BEATING_TIMEOUT_MS = 30_000
const MISSED_BEATS = 2.5
const SHORTEST_BEAT_MS = 1000
/** For this many timeouts the bytes of one unfinished frame count as life: enough for the largest, and an end to one that never ends. */
const PARTIAL_TIMEOUTS = 5
/** A rounded clock may leave less than it can ever show as passed. */
const SHORTEST_LOOK_MS = 1

/**
 * Finds lines that are dead without having ended: half-open sockets by their silence, and those that did not
 * survive a sleep of the machine by the gap in time (CAP section 7, row 30).
 */
export function createStallDetector({ clock, visibility, timeoutMs, onLost }: StallDetectorOptions): StallDetector {
  let listening = false
  let heardAt = 0
  /** When the last frame or comment was complete. */
  let completedAt = 0
  let lookedAt = 0
  let lookedOn = 0
  let lastBeatAt: number | undefined
  let beatMs = 0
  let cancel = noop
  let unsubscribe = noop

  function patience(): number {
    return beatMs === 0 ? timeoutMs : Math.min(timeoutMs, Math.max(BEATING_TIMEOUT_MS, beatMs * MISSED_BEATS))
  }

  /** Milliseconds of silence until the connection counts as lost. */
  function silenceLeft(): number {
    return heardAt + patience() - clock.now()
  }

  function look(): void {
    const now = clock.now()
    const late = now - lookedAt - LOOK_MS
    const jumped = clock.date() - lookedOn - (now - lookedAt)
    // A hidden page's timers may be a minute late without any sleep.
    const slept = jumped > SLEEP_MS || (late > SLEEP_MS && visibility.isVisible())
    const silent = silenceLeft() <= 0
    lookedAt = now
    lookedOn = clock.date()
    if (slept || silent) {
      pause()
      onLost(slept ? 'slept' : 'silent')
    } else arm()
  }

  function arm(): void {
    cancel()
    const left = silenceLeft()
    cancel = clock.after(left < LOOK_MS ? Math.max(SHORTEST_LOOK_MS, left) : LOOK_MS, look)
  }

  function pause(): void {
    listening = false
    cancel()
    unsubscribe()
    cancel = noop
    unsubscribe = noop
  }

  return {
    listen() {
      if (listening) return
      listening = true
      heardAt = clock.now()
      completedAt = heardAt
      lookedAt = heardAt
      lookedOn = clock.date()
      // Who comes back to the page sees at once whether the line is still good.
      unsubscribe = visibility.subscribe(() => {
        if (visibility.isVisible()) look()
      })
      arm()
    },
    heard(sign) {
      const now = clock.now()
      if (sign === 'partial') {
        if (now - completedAt < PARTIAL_TIMEOUTS * timeoutMs) heardAt = now
        return
      }
      heardAt = now
      completedAt = now
      if (sign === 'content') {
        lastBeatAt = undefined
        return
      }
      // Pieces of one large frame follow each other at once; beats do not.
      if (lastBeatAt !== undefined && now - lastBeatAt >= SHORTEST_BEAT_MS) beatMs = Math.max(beatMs, now - lastBeatAt)
      lastBeatAt = now
    },
    pause,
  }
}

function noop(): void {}
