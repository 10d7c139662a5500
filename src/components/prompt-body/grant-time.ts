import type { PromptOption } from '../../protocols/prompt.ts'

/** What is allowed for longer is allowed without an end, as far as people are concerned. */
const TEN_YEARS_MS = 10 * 365 * 86_400_000

/** How long an option allows what it grants, in milliseconds. Undefined: without an end. */
export function timeOf({ ttlMs }: PromptOption): number | undefined {
  return ttlMs === undefined || !(ttlMs <= TEN_YEARS_MS) ? undefined : ttlMs
}
