import type { Clock } from './clock.ts'

/** Awaits a promise, and calls `give` if it has not settled in time. The promise still decides the result. */
export function withTimeout<Value>(
  promise: Promise<Value>,
  clock: Clock,
  ms: number,
  give: () => void,
): Promise<Value> {
  const cancel = clock.after(ms, give)
  return promise.finally(cancel)
}
