import type { Clock } from '../../base/ports/clock.ts'

/** Resolves when `promise` has settled, however it did, and at the latest after `ms`. Resolves with whether it has. */
export function inTime(promise: Promise<unknown>, clock: Clock, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false))
    const settled = (): void => {
      cancel()
      resolve(true)
    }
    promise.then(settled, settled)
  })
}
