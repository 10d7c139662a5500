import type { Environment } from '../base/ports/environment.ts'

/**
 * Retry budget: limits the attempts without new content or heartbeats over all runs of a client, so that a failing server does not
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

/** Wait before an attempt that the budget does not cover: this long, or up to half longer. */
const UNCOVERED_WAIT_MS = 20_000

/**
 * Milliseconds to wait before another attempt.
 *
 * @param asked what the server asked to wait
 * @param covered the wait of an attempt that the budget covers
 */
export function retryWait(
  {
    budget,
    environment,
  }: { readonly budget?: RetryBudget | undefined; readonly environment: Pick<Environment, 'random'> },
  asked: number,
  covered: () => number,
): number {
  const isCovered = budget === undefined || budget.spend()
  return isCovered ? covered() : asked + UNCOVERED_WAIT_MS * (1 + environment.random() / 2)
}
