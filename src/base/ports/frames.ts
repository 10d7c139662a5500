import type { Clock } from './clock.ts'
import { systemClock } from './clock.ts'

/** Schedules updates of the view: once before the next paint. */
export interface Frames {
  /** Calls back once; the returned function cancels. */
  next(callback: () => void): () => void
}

/** A hidden page paints no frames, but its state must still be updated. */
const HIDDEN_PAGE_MS = 250
const NO_PAINT_MS = 16

interface PaintHost {
  requestAnimationFrame?(callback: () => void): number
  cancelAnimationFrame?(handle: number): void
}

/** Animation frames where the host paints, timers where it does not. */
export function createFrames(clock: Clock = systemClock, host: PaintHost = globalThis): Frames {
  return {
    next(callback) {
      let frame: number | undefined
      const done = (): void => {
        cancelTimer()
        if (frame !== undefined) host.cancelAnimationFrame?.(frame)
        callback()
      }
      const cancelTimer = clock.after(host.requestAnimationFrame ? HIDDEN_PAGE_MS : NO_PAINT_MS, done)
      frame = host.requestAnimationFrame?.(done)
      return () => {
        cancelTimer()
        if (frame !== undefined) host.cancelAnimationFrame?.(frame)
      }
    },
  }
}
