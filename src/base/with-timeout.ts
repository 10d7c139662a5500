import type { Clock } from './clock.ts'

/** Waits for something, and calls `give` when it has kept silent for too long; what that brings about decides. */
export function withTimeout<Value>(promise: Promise<Value>, clock: Clock, ms: number, give: () => void): Promise<Value> {
  const cancel = clock.after(ms, give)
  return promise.finally(cancel)
}
