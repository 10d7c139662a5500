import { onAbort } from '../on-abort.ts'
import type { Clock } from './clock.ts'

/** Waits, or not longer than until the signal aborts. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      release?.()
      resolve()
    }
    let release: (() => void) | undefined
    const cancel = clock.after(ms, end)
    release = signal && onAbort(signal, end)
  })
}

/** Rejects after a time. A late reply is ignored. */
export function within<Value>(promise: Promise<Value>, clock: Clock, ms: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.max(0, ms), () => reject(new Error('No answer in time.')))
    promise.then(resolve, reject).finally(cancel)
  })
}
