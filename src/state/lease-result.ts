import type { AnswerResult } from './answer-result.ts'

/** What became of a wish to change a lease. Resolved, never thrown. */
export type LeaseResult = Exclude<AnswerResult, { readonly status: 'staged' }>
