import type { PromptOption } from '../../seam/prompt.ts'
import type { PromptStrings } from './prompt-strings.ts'

/** What is allowed for longer is allowed without an end, as far as people are concerned. */
const TEN_YEARS_MS = 10 * 365 * 86_400_000

/** How long an option allows what it grants, in milliseconds. Null: the agent does not say. Undefined: without an end. */
export function timeOf({ ttlMs }: PromptOption): number | null | undefined {
  return ttlMs === null || (ttlMs !== undefined && ttlMs <= TEN_YEARS_MS) ? ttlMs : undefined
}

/** The same in words. */
export function grantTime(option: PromptOption, { approval, permission }: PromptStrings): string {
  const time = timeOf(option)
  if (time === null) return permission.unsaid
  if (time !== undefined) return approval.forTime(time)
  return option.kind === 'allow-once' && option.grants === undefined ? permission.once : approval.noEnd
}
