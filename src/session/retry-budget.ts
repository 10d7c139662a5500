/** Retry budget: what all runs of a client may spend together on attempts that bring nothing, so that a server in trouble is not made worse. */
export interface RetryBudget {
  /** Takes one retry out. False when there is none left: the attempt still comes, but late. */
  spend(): boolean
  /** An attempt brought something new. */
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
