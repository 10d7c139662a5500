import type { Clock } from '../../base/ports/clock.ts'

/** Waits for something that may take long, and says so from time to time. */
export interface IdleWait<Value> {
  /** What `begin` gives, or `silent` after a while: then the next call continues with the same wait. */
  orBeat(begin: () => Promise<Value>): Promise<Value | 'silent'>
  /** Stops the timer. */
  end(): void
}

interface Waiter<Value> {
  resolve(value: Value | 'silent'): void
  reject(error: unknown): void
}

/** Platform timers with a longer delay fire immediately. */
const LONGEST_TIMER_MS = 2_147_483_647

/** One timer for all waits: to set it again for each costs more than to find, when it ends, that it was not silent for so long. */
export function createIdleWait<Value>(clock: Clock, ms: number): IdleWait<Value> {
  let pending: Promise<Value> | undefined
  let waiter: Waiter<Value> | undefined
  let since = 0
  let cancel: (() => void) | undefined

  const arm = (wait: number): void => {
    cancel = clock.after(Math.min(wait, LONGEST_TIMER_MS), () => {
      cancel = undefined
      if (waiter === undefined) return
      const left = since + ms - clock.now()
      if (left > 0) arm(left)
      else settle((each) => each.resolve('silent'))
    })
  }

  const settle = (act: (each: Waiter<Value>) => void): void => {
    const each = waiter
    waiter = undefined
    if (each !== undefined) act(each)
  }

  /** Items that arrived without a waiting reader. */
  let arrived: ((each: Waiter<Value>) => void) | undefined

  const arrive = (act: (each: Waiter<Value>) => void): void => {
    pending = undefined
    if (waiter === undefined) arrived = act
    else settle(act)
  }

  const end = (): void => {
    cancel?.()
    cancel = undefined
  }

  return {
    orBeat: (begin) =>
      new Promise((resolve, reject) => {
        waiter = { resolve, reject }
        if (arrived !== undefined) {
          const act = arrived
          arrived = undefined
          settle(act)
          return
        }
        since = clock.now()
        if (cancel === undefined) arm(ms)
        if (pending !== undefined) return
        pending = begin()
        pending.then(
          (value) => arrive((each) => each.resolve(value)),
          (error: unknown) => {
            end()
            arrive((each) => each.reject(error))
          },
        )
      }),
    end,
  }
}
