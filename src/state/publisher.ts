import type { Environment } from '../base/environment.ts'

/** One value, read by many: published at once, or together with whatever else comes before the next frame. */
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

/** @param read makes the newest value; called once per publication. A listener that throws is reported and keeps nothing from the others. */
export function createPublisher<Value>({ frames, report }: Pick<Environment, 'frames' | 'report'>, read: (previous: Value | undefined) => Value): Publisher<Value> {
  const listeners = new Set<() => void>()
  let value = read(undefined)
  let cancelFrame: (() => void) | undefined

  function flush(): void {
    cancelFrame?.()
    cancelFrame = undefined
    const newest = read(value)
    if (newest === value) return
    value = newest
    for (const listener of [...listeners]) {
      try {
        listener()
      } catch (cause) {
        report(cause)
      }
    }
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
