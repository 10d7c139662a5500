/**
 * Retry budget: limits the attempts without new content over all runs of a client, so that a failing server does not
 * get more load.
 */
export interface RetryBudget {
  /** Takes one retry. Returns false when none is left: the attempt is still made, but later. */
  spend(): boolean
  /** Called when an attempt brought new content. */
  earn(): void
}

const CAPACITY = 10
const PER_SUCCESS = 0.1

export function createRetryBudget(): RetryBudget {
  let tokens = CAPACITY
  return {
    spend() {
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
    earn() {
      tokens = Math.min(CAPACITY, tokens + PER_SUCCESS)
    },
  }
}
