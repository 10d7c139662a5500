import type { Clock } from '../../base/ports/clock.ts'
import { noop } from '../../base/noop.ts'

/** What an agent function has begun: knows when all of it has settled. */
export interface AgentWork {
  /** Counts a promise of the agent, whatever becomes of it. */
  track(promise: PromiseLike<unknown>): void
  /** Whether the agent function has returned, after at most `limitMs`. */
  returned(limitMs: number): Promise<boolean>
}

export function createAgentWork(clock: Clock): AgentWork {
  let unsettled = 0
  let notify = noop
  const settle = (): void => {
    unsettled -= 1
    if (unsettled === 0) notify()
  }
  return {
    track(promise) {
      unsettled += 1
      promise.then(settle, settle)
    },
    async returned(limitMs) {
      if (unsettled === 0) return true
      // A timer of 0 ms would let other work run first.
      if (limitMs <= 0) return false
      return new Promise((resolve) => {
        const cancel = clock.after(limitMs, () => resolve(false))
        notify = () => {
          cancel()
          resolve(true)
        }
      })
    },
  }
}
