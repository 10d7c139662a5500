import { appError } from '../run/app-error.ts'
import { modelFailure } from './model-error.ts'

/** Options of the helpers that ask the model again with what its tools returned. */
export interface ModelRoundsOptions {
  /**
   * Most requests to the model for one answer, the first included. A model that calls tools in the last of them is a failure with the
   * `agentCode` `model_step_limit`, and those tools do not run.
   *
   * @default 20
   */
  readonly maxRounds?: number | undefined
}

const MAX_ROUNDS = 20

/** Counts the requests of one answer. Call the result before each further one, and before the tools whose results it sends. */
export function createRoundLimit({ maxRounds = MAX_ROUNDS }: ModelRoundsOptions): () => void {
  if (!Number.isSafeInteger(maxRounds) || maxRounds < 1)
    throw appError(`maxRounds is ${String(maxRounds)}. Give a whole number above 0, or leave it out.`)
  let rounds = 1
  return () => {
    rounds += 1
    if (rounds <= maxRounds) return
    throw modelFailure('model_step_limit', `it still calls tools, or pauses, after ${maxRounds} requests (maxRounds)`)
  }
}
