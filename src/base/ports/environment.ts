import { type Clock, systemClock } from './clock.ts'
import { type ConnectionSlots, systemConnectionSlots } from './connection-slots.ts'

/** Reads what the browser or worker reports; where nothing is reported, always online. */
export const systemOnline: Online = {
  isOnline: () => (globalThis as NetworkHost).navigator?.onLine !== false,
  subscribe(listener) {
    const host: NetworkHost = globalThis
    host.addEventListener?.('online', listener)
    host.addEventListener?.('offline', listener)
    return () => {
      host.removeEventListener?.('online', listener)
      host.removeEventListener?.('offline', listener)
    }
  },
}

/** A hidden page paints no frames, but its state must still be updated. */
const HIDDEN_PAGE_MS = 250

const NO_PAINT_MS = 16

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

/** Schedules updates of the view: once before the next paint. */
export interface Frames {
  /** Calls back once; the returned function cancels. */
  next(callback: () => void): () => void
}

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

/** Whether the device believes it has a network. A hint: "online" proves nothing, "offline" saves attempts. */
export interface Online {
  isOnline(): boolean
  /** Calls back after each change; the returned function stops listening. */
  subscribe(listener: () => void): () => void
}

interface NetworkHost {
  readonly navigator?: { readonly onLine?: boolean }
  addEventListener?(type: string, listener: () => void): void
  removeEventListener?(type: string, listener: () => void): void
}

/** Page visibility. Timers of a hidden page are throttled. */
export interface Visibility {
  isVisible(): boolean
  /** Calls back after each change; the returned function stops listening. */
  subscribe(listener: () => void): () => void
}

interface PageHost {
  addEventListener?(type: string, listener: (event: Event) => void): void
  removeEventListener?(type: string, listener: (event: Event) => void): void
}

/** Follows the page it runs in. What has no page (a worker, a server) counts as visible. */
export function createVisibility(host: PageHost = globalThis): Visibility {
  const listeners = new Set<() => void>()
  let visible = true

  // The event bubbles up from the document, which carries the state: nothing here needs a document to exist.
  const changed = (event: Event): void => {
    const state: unknown = event.target === null ? undefined : Reflect.get(event.target, 'visibilityState')
    visible = state !== 'hidden'
    for (const listener of [...listeners]) listener()
  }

  return {
    isVisible: () => visible,
    subscribe(listener) {
      if (listeners.size === 0) {
        host.addEventListener?.('visibilitychange', changed)
        host.addEventListener?.('pageshow', changed)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        host.removeEventListener?.('visibilitychange', changed)
        host.removeEventListener?.('pageshow', changed)
      }
    },
  }
}

/** Reports an error as uncaught: to `window.onerror` and monitoring in a page, to the console elsewhere. */
export function report(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else console.error(error)
}
