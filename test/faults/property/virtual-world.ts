import type { Clock } from '../../../src/base/ports/clock.ts'
import type { Environment } from '../../../src/base/ports/environment.ts'
import type { ConnectionSlots } from '../../../src/base/ports/connection-slots.ts'

interface Timer {
  at: number
  readonly order: number
  readonly callback: () => void
  readonly owner: 'client' | 'world'
}

/** Time that only the schedule moves, shared by the client under test and the world around it. */
export interface VirtualTime {
  readonly now: number
  /** The clock the client sees. */
  readonly clock: Clock
  /** A timer of the world: a server, a user, another tab. */
  after(ms: number, callback: () => void): () => void
  /** When the next timer is due. */
  readonly nextAt: number | undefined
  /** Moves time to the next timer and fires it. */
  fireNext(): void
  /** Moves time without firing: what was due in between comes late, as in a frozen page. */
  freezeUntil(at: number): void
  /** As after a busy stretch of the thread: of all that was due meanwhile, what belongs to `first` comes first. */
  busy(ms: number, first: 'client' | 'world'): void
  /** The machine sleeps: only the wall clock continues. */
  sleep(ms: number): void
  /** Timers the client has left. */
  readonly clientTimers: number
}

const START = Date.parse('2026-03-01T08:15:00.000Z')

export function createVirtualTime(): VirtualTime {
  const timers: Timer[] = []
  let now = 0
  let slept = 0
  let order = 0

  function add(owner: Timer['owner'], ms: number, callback: () => void): () => void {
    const timer: Timer = { at: now + Math.max(0, ms), order: (order += 1), callback, owner }
    timers.push(timer)
    return () => {
      const index = timers.indexOf(timer)
      if (index !== -1) timers.splice(index, 1)
    }
  }

  /** There are never more than a handful. */
  function nextIndex(): number {
    let best = -1
    for (let index = 0; index < timers.length; index += 1) {
      const timer = timers[index]
      const other = timers[best]
      if (
        timer !== undefined &&
        (other === undefined || timer.at < other.at || (timer.at === other.at && timer.order < other.order))
      )
        best = index
    }
    return best
  }

  return {
    get now() {
      return now
    },
    clock: { now: () => now, date: () => START + now + slept, after: (ms, callback) => add('client', ms, callback) },
    after: (ms, callback) => add('world', ms, callback),
    get nextAt() {
      return timers[nextIndex()]?.at
    },
    fireNext() {
      const [timer] = timers.splice(nextIndex(), 1)
      if (timer === undefined) return
      now = Math.max(now, timer.at)
      timer.callback()
    },
    freezeUntil(at) {
      now = Math.max(now, at)
    },
    busy(ms, first) {
      now += ms
      for (const timer of timers) if (timer.owner !== first && timer.at < now) timer.at = now
    },
    sleep(ms) {
      slept += ms
    },
    get clientTimers() {
      return timers.reduce((count, { owner }) => (owner === 'client' ? count + 1 : count), 0)
    },
  }
}

/**
 * Resolves when every promise that can continue has done so. Node runs a tick only after the whole queue of
 * microtasks is empty, so one tick is exact, and many times cheaper than a turn of the event loop.
 */
export function drained(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve)
  })
}

/** The device the client believes it runs on. */
export interface VirtualDevice {
  readonly environment: Environment
  readonly isOnline: boolean
  /** Connections are shared out: an attempt may go out later than it was asked for. */
  readonly isShared: boolean
  setOnline(online: boolean): void
  setVisible(visible: boolean): void
  readonly reports: readonly unknown[]
  /** Listeners and places in use. */
  readonly listeners: number
  readonly placesTaken: number
}

export function createVirtualDevice(time: VirtualTime, seed: number, place: 'unlimited' | 'shared'): VirtualDevice {
  const { clock } = time
  const onlineListeners = new Set<() => void>()
  const visibleListeners = new Set<() => void>()
  const reports: unknown[] = []
  let online = true
  let visible = true
  let ids = 0
  let state = seed | 1
  let placesTaken = 0

  /** xorshift: any number but 0 begins a long cycle. */
  function random(): number {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }

  function subscribeTo(listeners: Set<() => void>): (listener: () => void) => () => void {
    return (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }

  /** Another tab gives its place back after a while. */
  const slots: ConnectionSlots = {
    take: (_server, signal) =>
      new Promise((resolve) => {
        const cancel = time.after(700, () => {
          signal.removeEventListener('abort', leave)
          placesTaken += 1
          let given = false
          resolve(() => {
            if (!given) placesTaken -= 1
            given = true
          })
        })
        const leave = (): void => {
          cancel()
          resolve(() => {})
        }
        signal.addEventListener('abort', leave, { once: true })
      }),
  }

  return {
    environment: {
      clock,
      random,
      online: { isOnline: () => online, subscribe: subscribeTo(onlineListeners) },
      visibility: { isVisible: () => visible, subscribe: subscribeTo(visibleListeners) },
      frames: { next: (callback) => clock.after(visible ? 16 : 250, callback) },
      ...(place === 'shared' && { slots }),
      uuid: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
      report: (error) => reports.push(error),
    },
    get isOnline() {
      return online
    },
    isShared: place === 'shared',
    setOnline(value) {
      if (online === value) return
      online = value
      for (const listener of [...onlineListeners]) listener()
    },
    setVisible(value) {
      if (visible === value) return
      visible = value
      for (const listener of [...visibleListeners]) listener()
    },
    reports,
    get listeners() {
      return onlineListeners.size + visibleListeners.size
    },
    get placesTaken() {
      return placesTaken
    },
  }
}
