/**
 * Places for live lines. Over HTTP/1.1 a browser opens six connections to a server, for all tabs together: without
 * places the seventh line would hang, and every other call with it.
 */
export interface ConnectionSlots {
  /**
   * A place for one line to `server`, now or when one becomes free; the given function gives it back. After an abort
   * the promise resolves with a place that is none.
   */
  take(server: string, signal: AbortSignal): Promise<() => void>
}

/** The part of the platform's LockManager that is used here. */
export interface Locks {
  request(name: string, options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal }, held: (lock: object | null) => unknown): Promise<unknown>
}

/** Leaves two of six connections for everything else. */
const PLACES = 4

/** Places shared by all tabs of an origin; a tab that closes gives its own back by itself. */
export function createLockSlots(locks: Locks, places = PLACES): ConnectionSlots {
  return {
    async take(server, signal) {
      const names = Array.from({ length: places }, (_, place) => `capstan line ${place} ${server}`)
      for (const name of names) {
        const release = await takeIfFree(locks, name)
        if (release !== undefined) return release
      }
      return takeFirstFree(locks, names, signal)
    },
  }
}

function takeIfFree(locks: Locks, name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? resolve(undefined) : new Promise<void>((release) => resolve(release)))).catch(reject)
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
        // One place is enough; a second one that comes in the same moment goes straight back.
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

/** Places where there are tabs: pages and workers. A server has no six connections to share, so it gets none. */
export function systemConnectionSlots(host: LockHost = globalThis): ConnectionSlots | undefined {
  const { navigator } = host
  return typeof navigator?.onLine === 'boolean' && navigator.locks !== undefined ? createLockSlots(navigator.locks) : undefined
}

function noop(): void {}
