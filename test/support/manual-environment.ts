import type { Environment } from '../../src/base/ports/environment.ts'
import type { ManualClock } from './manual-clock.ts'
import { createManualClock } from './manual-clock.ts'

export interface ManualEnvironment extends Environment {
  readonly clock: ManualClock
  /** What `random()` gives next. */
  chance: number
  goOffline(): void
  goOnline(): void
  hide(): void
  show(): void
  /** Paints: everything scheduled for the next frame runs. */
  paint(): void
  readonly scheduledFrames: number
  readonly reports: readonly unknown[]
  readonly listeners: number
}

/** An environment that does nothing by itself. Ids count up: …-000000000001, …-000000000002. */
export function createManualEnvironment(): ManualEnvironment {
  const clock = createManualClock()
  const listeners = new Set<() => void>()
  const frames = new Set<() => void>()
  const reports: unknown[] = []
  const watchers = new Set<() => void>()
  let isOnline = true
  let visible = true
  let ids = 0
  let chance = 0
  const turn = (online: boolean): void => {
    isOnline = online
    for (const listener of [...listeners]) listener()
  }
  const look = (seen: boolean): void => {
    visible = seen
    for (const watcher of [...watchers]) watcher()
  }
  return {
    clock,
    get chance() {
      return chance
    },
    set chance(value) {
      chance = value
    },
    random: () => chance,
    online: {
      isOnline: () => isOnline,
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    frames: {
      next(callback) {
        frames.add(callback)
        return () => frames.delete(callback)
      },
    },
    visibility: {
      isVisible: () => visible,
      subscribe(listener) {
        watchers.add(listener)
        return () => watchers.delete(listener)
      },
    },
    uuid: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    report: (error) => reports.push(error),
    reports,
    hide: () => look(false),
    show: () => look(true),
    goOffline: () => turn(false),
    goOnline: () => turn(true),
    paint() {
      const due = [...frames]
      frames.clear()
      for (const callback of due) callback()
    },
    get scheduledFrames() {
      return frames.size
    },
    get listeners() {
      return listeners.size + watchers.size
    },
  }
}
