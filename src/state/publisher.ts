import { attempt } from '../base/attempt.ts'
import type { Environment } from '../base/ports/environment.ts'

/** Publishes snapshots: immediately, or throttled to one per frame. */
export interface Publisher<Value> {
  get(): Value
  subscribe(listener: () => void): () => void
  /** Shows the newest value before the next paint; any number of calls make one publication. */
  schedule(): void
  /** Shows the newest value now. */
  flush(): void
  /** Forgets a scheduled publication. */
  cancel(): void
}

/**
 * @param read makes the newest value; called once per publication. An error of a listener is reported, and the other
 * listeners are still called.
 */
export function createPublisher<Value>(
  { frames, report }: Pick<Environment, 'frames' | 'report'>,
  read: (previous: Value | undefined) => Value,
): Publisher<Value> {
  const listeners = new Set<() => void>()
  let value = read(undefined)
  let cancelFrame: (() => void) | undefined

  function flush(): void {
    cancelFrame?.()
    cancelFrame = undefined
    const newest = read(value)
    if (newest === value) return
    value = newest
    for (const listener of [...listeners]) attempt(report, listener)
  }

  return {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    schedule() {
      cancelFrame ??= frames.next(() => {
        cancelFrame = undefined
        flush()
      })
    },
    flush,
    cancel() {
      cancelFrame?.()
      cancelFrame = undefined
    },
  }
}
