import { noop } from '../../../base/noop.ts'
import type { Clock } from '../../../base/ports/clock.ts'
import type { ArcpPayload } from '../../../protocols/arcp/schema/payloads.ts'

/** How fast a stream may be sent (backpressure). */
export interface StreamPace {
  /** What a client says it can take. */
  ask(wanted: ArcpPayload<'backpressure'>): void
  /** Resolves when the next chunk may be sent. @param length of the chunk that was sent, in bytes */
  next(length: number): Promise<void>
  /** Nothing waits any more. */
  release(): void
}

/** How often a connection that takes nothing in is looked at. */
const LOOK_MS = 20

export interface StreamPaceOptions {
  readonly clock: Clock
  /** Whether the slowest connection has more on its way than it may have. */
  isFull(): boolean
}

/** Pacing of one stream: by what the client asks for, and by what its connection takes in. */
export function createStreamPace({ clock, isFull }: StreamPaceOptions): StreamPace {
  let perSecond = Infinity
  let left = Infinity
  let earliest = 0
  let isOver = false
  let cancel = noop
  const waiting: (() => void)[] = []

  const gapMs = (): number => (perSecond > 0 ? 1000 / perSecond : 0)

  function waitMs(): number {
    if (isOver) return 0
    if (left <= 0) return Infinity
    const due = Math.max(0, earliest - clock.now())
    return due > 0 ? due : isFull() ? LOOK_MS : 0
  }

  function look(): void {
    cancel()
    cancel = noop
    while (waiting.length > 0) {
      const ms = waitMs()
      if (ms > 0) {
        if (ms !== Infinity) cancel = clock.after(ms, look)
        return
      }
      earliest = clock.now() + gapMs()
      waiting.shift()?.()
    }
  }

  return {
    ask({ desired_rate_per_second: rate, buffer_remaining_bytes: bytes }) {
      perSecond = rate ?? Infinity
      left = rate === 0 ? 0 : (bytes ?? Infinity)
      earliest = clock.now() + gapMs()
      look()
    },
    next(length) {
      left -= length
      return new Promise((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 1) look()
      })
    },
    release() {
      isOver = true
      look()
    },
  }
}
