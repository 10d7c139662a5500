import { noop } from '../noop.ts'
import { type Clock, systemClock } from './clock.ts'

/**
 * Slots for live connections. Over HTTP/1.1 a browser opens six connections to a server, for all tabs together: without
 * slots a seventh connection would hang, and every other request with it.
 */
export interface ConnectionSlots {
  /**
   * Acquires a slot for one connection to `server`, now or when one becomes free; resolves with a function that
   * releases it. After an abort, the function releases nothing.
   */
  take(server: string, signal: AbortSignal): Promise<() => void>
}

/** The part of the platform's LockManager that is used here. */
export interface Locks {
  request(
    name: string,
    options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal },
    held: (lock: object | null) => unknown,
  ): Promise<unknown>
}

/** Leaves two of six connections for everything else. */
const PLACES = 4

/** Longest wait for a lock that is granted at once or not at all. */
const ANSWER_MS = 2_000

/**
 * Slots shared by all tabs of an origin; a tab that closes releases its own slots automatically. Where the platform blocks locks, as it
 * does in a frame of an opaque origin, there is no limit: they throw there, reject, or never settle.
 */
export function createLockSlots(locks: Locks, places = PLACES, clock: Clock = systemClock): ConnectionSlots {
  return {
    async take(server, signal) {
      const names = Array.from({ length: places }, (_, place) => `capstan slot ${place} ${server}`)
      for (const name of names) {
        const answer = await takeIfFree(locks, name, clock)
        if (answer === 'blocked') return noop
        if (answer !== 'taken') return answer
      }
      return takeFirstFree(locks, names, signal)
    },
  }
}

/** Gives the function that releases the lock. `taken`: by another connection; `blocked`: the platform gives no locks. */
function takeIfFree(locks: Locks, name: string, clock: Clock): Promise<(() => void) | 'taken' | 'blocked'> {
  return new Promise((resolve) => {
    let isLate = false
    const block = (): void => {
      cancel()
      resolve('blocked')
    }
    const cancel = clock.after(ANSWER_MS, () => {
      isLate = true
      block()
    })
    try {
      locks
        .request(name, { ifAvailable: true }, (lock) => {
          cancel()
          if (lock === null) return resolve('taken')
          return isLate ? undefined : new Promise<void>((release) => resolve(release))
        })
        .catch(block)
    } catch {
      block()
    }
  })
}

function takeFirstFree(locks: Locks, names: readonly string[], signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve) => {
    const waiting = new AbortController()
    const leave = (): void => {
      waiting.abort()
      resolve(noop)
    }
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    for (const name of names) {
      const asked = locks.request(name, { signal: waiting.signal }, () => {
        // A connection needs one slot; a second one that is granted at the same time is released immediately.
        if (waiting.signal.aborted) return undefined
        signal.removeEventListener('abort', leave)
        waiting.abort()
        return new Promise<void>((release) => resolve(release))
      })
      asked.catch(noop)
    }
  })
}

interface LockHost {
  readonly navigator?: { readonly onLine?: unknown; readonly locks?: Locks }
}

/** Slots in pages and workers. On a server there is no limit of six connections, so the result is undefined. */
export function systemConnectionSlots(host: LockHost = globalThis): ConnectionSlots | undefined {
  const { navigator } = host
  if (typeof navigator?.onLine !== 'boolean') return undefined
  const locks = unlessBlocked(() => navigator.locks)
  return locks && createLockSlots(locks)
}

/** A part of the platform; undefined where it may not be touched, as in a frame of an opaque origin, where some getters throw. */
export function unlessBlocked<Part>(read: () => Part): Part | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
