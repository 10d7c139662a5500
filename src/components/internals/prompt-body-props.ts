import type { ReactNode } from 'react'
import type { PromptControls } from '../../react/use-prompts.ts'

/** What the body of a prompt gets from the card around it. */
export interface PromptBodyProps {
  /** The prompt and the actions that answer it, as `usePrompt` returns them. */
  readonly controls: PromptControls
  /**
   * Whether the user may answer now: the prompt is open, and has not moved for long enough to be read. While false, all controls
   * look as usual and do nothing: the card takes care of that, so the body need not disable anything for it.
   */
  readonly isReady: boolean
  /** The answer is on its way. The card takes care that nothing else can be answered. */
  readonly isSending: boolean
  /** The button that declines, for the start of the row of actions; null where an option of the prompt says no. */
  readonly decline: ReactNode
}
