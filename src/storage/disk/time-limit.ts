import type { Clock } from '../../base/ports/clock.ts'

export interface TimeLimit<Value> {
  readonly clock: Clock
  readonly ms: number
  /** What took too long: the beginning of the error's message. */
  readonly what: string
  /** Called with a value that arrives after the limit. */
  readonly onLate?: (value: Value) => void
}

/**
 * Rejects with a `TimeoutError` when the promise has not settled after `ms` milliseconds. The time is split into two
 * timers: when a frozen page wakes up, a timer fires before the answer that arrived meanwhile is delivered.
 */
export function withTimeLimit<Value>(
  promise: Promise<Value>,
  { clock, ms, what, onLate }: TimeLimit<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let isLate = false
    let cancel = clock.after(ms / 2, () => {
      cancel = clock.after(ms / 2, () => {
        isLate = true
        reject(
          Object.assign(new Error(`${what} took longer than ${ms / 1000} s, so it counts as failed.`), {
            name: 'TimeoutError',
          }),
        )
      })
    })
    promise.then((value) => (isLate ? onLate?.(value) : resolve(value)), reject).finally(() => cancel())
  })
}
