import { isNumber, isOptional, isString, shape } from '../base/guards.ts'

/** What a run took, as far as the agent says. */
export interface Usage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly totalTokens?: number | undefined
  /** In the currency of `currency`. */
  readonly cost?: number | undefined
  /** ISO 4217. @default 'USD' */
  readonly currency?: string | undefined
}

/** Type guard of a usage that comes from a disk or another tab. */
export const isUsage = shape<Usage>({
  inputTokens: isOptional(isNumber),
  outputTokens: isOptional(isNumber),
  totalTokens: isOptional(isNumber),
  cost: isOptional(isNumber),
  currency: isOptional(isString),
})
