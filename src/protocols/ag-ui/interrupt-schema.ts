import type { JsonSchema } from '../../seam/prompt.ts'

/** A question that a run has ended with (AG-UI 1.0, interrupts). */
export interface AgUiInterrupt {
  readonly id: string
  /** `tool_call`, `input_required`, `confirmation`, or a name of the server's own such as `langgraph:interrupt`. */
  readonly reason: string
  readonly message?: string | undefined
  readonly toolCallId?: string | undefined
  readonly responseSchema?: JsonSchema | undefined
  /** ISO 8601. */
  readonly expiresAt?: string | undefined
  readonly metadata?: unknown
  readonly subagentRunId?: string | undefined
  /** How the server wants to be answered: in `resume`, or as LangGraph in `forwardedProps.command.resume`. @default 'resume' */
  readonly via?: 'resume' | 'command' | undefined
}

/** How a run ended that did not fail. */
export type AgUiOutcome =
  | { readonly type: 'success' }
  | { readonly type: 'interrupt'; readonly interrupts: readonly AgUiInterrupt[] }
  | { readonly type: 'cancelled' }
