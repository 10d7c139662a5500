import type { Clock } from './clock.ts'
import { systemClock } from './clock.ts'

/** When to show what has gathered: once before the next paint. */
export interface Frames {
  /** Calls back once; the returned function cancels. */
  next(callback: () => void): () => void
}

/** A hidden page paints no frames; its state must go on all the same. */
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
