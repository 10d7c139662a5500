import { SHORTEST_BEAT_MS } from '../base/ports/clock.ts'
import { noop } from '../base/noop.ts'
import type { Clock } from '../base/ports/clock.ts'
import type { Visibility } from '../base/ports/visibility.ts'

/** Why a connection without an error counts as lost: it was silent, or this machine was asleep. */
export type Silence = 'silent' | 'slept'

/** `content`: packets. `empty`: a sign of life without content, perhaps a heartbeat. `partial`: bytes that completed nothing. */
export type LifeSign = 'content' | 'empty' | 'partial'

/** Stall detector (watchdog): finds connections that are dead without having ended. */
export interface StallDetector {
  /** Begins, or goes on, to count the silence. */
  listen(): void
  /** Records a sign of life. Returns whether it is a heartbeat: empty, and after a silence. */
  heard(sign: LifeSign): boolean
  /** Stops counting while the consumer is busy. Its timer and its listener stay: a stream is paused at every chunk. */
  pause(): void
  /** Stops for good: the connection is gone. */
  stop(): void
}

export interface StallDetectorOptions {
  readonly clock: Clock
  readonly visibility: Visibility
  readonly timeoutMs: number
  onLost(silence: Silence): void
}

/** Interval of the checks. A sleep of the machine is detected by a check that runs much too late. */
const LOOK_MS = 5000
const SLEEP_MS = 15_000
/** A connection with known heartbeats counts as lost sooner, but not before two heartbeats are missing. */
const BEATING_TIMEOUT_MS = 30_000
const MISSED_BEATS = 2.5
/**
 * Bytes of one incomplete frame count as a sign of life for this many timeouts: enough for the largest frame, and a
 * limit for one that never ends.
 */
const PARTIAL_TIMEOUTS = 5
/** A clock with low resolution may never show a remaining time this short as elapsed. */
const SHORTEST_LOOK_MS = 1

/**
 * Finds connections that are dead without having ended: half-open sockets by their silence, and those that did not
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

  function silenceLimit(): number {
    return beatMs === 0 ? timeoutMs : Math.min(timeoutMs, Math.max(BEATING_TIMEOUT_MS, beatMs * MISSED_BEATS))
  }

  /** Milliseconds of silence until the connection counts as lost. */
  function silenceLeft(): number {
    return heardAt + silenceLimit() - clock.now()
  }

  function look(): void {
    if (!listening) return
    const now = clock.now()
    const late = now - lookedAt - LOOK_MS
    const jumped = clock.date() - lookedOn - (now - lookedAt)
    // A hidden page's timers may be a minute late without any sleep.
    const slept = jumped > SLEEP_MS || (late > SLEEP_MS && visibility.isVisible())
    const silent = silenceLeft() <= 0
    lookedAt = now
    lookedOn = clock.date()
    if (slept || silent) {
      stop()
      onLost(slept ? 'slept' : 'silent')
    } else arm()
  }

  function arm(): void {
    cancel()
    const left = silenceLeft()
    cancel = clock.after(left < LOOK_MS ? Math.max(SHORTEST_LOOK_MS, left) : LOOK_MS, () => {
      cancel = noop
      look()
    })
  }

  function stop(): void {
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
      // A user who comes back to the page sees immediately whether the connection is alive.
      if (unsubscribe === noop)
        unsubscribe = visibility.subscribe(() => {
          if (visibility.isVisible()) look()
        })
      // A look that is earlier than it has to be only arms the next one.
      if (cancel === noop) arm()
    },
    heard(sign) {
      const now = clock.now()
      if (sign === 'partial') {
        if (now - completedAt < PARTIAL_TIMEOUTS * timeoutMs) heardAt = now
        return false
      }
      const isBeat = sign === 'empty' && now - completedAt >= SHORTEST_BEAT_MS
      heardAt = now
      completedAt = now
      if (sign === 'content') {
        lastBeatAt = undefined
        return false
      }
      // Chunks of one large frame arrive close together; heartbeats do not.
      if (lastBeatAt !== undefined && now - lastBeatAt >= SHORTEST_BEAT_MS) beatMs = Math.max(beatMs, now - lastBeatAt)
      lastBeatAt = now
      return isBeat
    },
    pause() {
      listening = false
    },
    stop,
  }
}
