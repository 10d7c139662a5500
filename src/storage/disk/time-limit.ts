import type { Clock } from '../../base/clock.ts'

export interface TimeLimit<Value> {
  readonly clock: Clock
  readonly ms: number
  /** What took too long: the beginning of the error's message. */
  readonly what: string
  /** Gets what comes after the limit. */
  readonly onLate?: (value: Value) => void
}

/**
 * Rejects with a `TimeoutError` when the promise has not settled after `ms` milliseconds. They are counted in two halves:
 * the timer of a page that was frozen is due at once when it wakes up, before the answer that came meanwhile is heard.
 */
export function withTimeLimit<Value>(promise: Promise<Value>, { clock, ms, what, onLate }: TimeLimit<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    let isLate = false
    let cancel = clock.after(ms / 2, () => {
      cancel = clock.after(ms / 2, () => {
        isLate = true
        reject(Object.assign(new Error(`${what} took longer than ${ms / 1000} s, so it counts as failed.`), { name: 'TimeoutError' }))
      })
    })
    promise.then((value) => (isLate ? onLate?.(value) : resolve(value)), reject).finally(() => cancel())
  })
}
