import type { Clock } from '../../base/ports/clock.ts'

/** Resolves when `promise` has settled, however it did, and at the latest after `ms`. */
export function inTime(promise: Promise<unknown>, clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    const settled = (): void => {
      cancel()
      resolve()
    }
    promise.then(settled, settled)
  })
}
