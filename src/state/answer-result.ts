import type { AgentError } from '../base/agent-error.ts'
import type { FieldError } from '../seam/prompt.ts'

/** What became of an answer to a prompt. Resolved, never thrown. */
export type AnswerResult =
  /** The agent has it. */
  | { readonly status: 'accepted' }
  /** It is sent when the other prompts of the run are answered. */
  | { readonly status: 'staged' }
  /** The prompt was answered elsewhere, has expired or was withdrawn. */
  | { readonly status: 'too-late' }
  /** The agent refused it: the prompt is open again, with these errors. */
  | { readonly status: 'invalid'; readonly errors: readonly FieldError[] }
  /** It was sent, and nobody knows whether it arrived. The same answer can be given again: the agent takes it once. */
  | { readonly status: 'unconfirmed'; readonly error: AgentError }
  /** Nothing was sent: there is no such prompt, it asks for something else now, or the agent takes no answers. */
  | { readonly status: 'refused'; readonly error: AgentError }

/** What became of a wish to change a lease. Resolved, never thrown. */
export type LeaseResult = Exclude<AnswerResult, { readonly status: 'staged' }>
