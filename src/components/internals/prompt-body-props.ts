import type { PromptControls } from '../../hooks/use-prompts.ts'

/** What the body of a prompt gets from the card around it. */
export interface PromptBodyProps {
  readonly controls: PromptControls
  /**
   * Whether the user may answer now: the prompt is open, and has stood still long enough to be read. While false, all controls
   * look as usual and do nothing: the card takes care of that, so the body need not disable anything for it.
   */
  readonly isReady: boolean
  /** The answer is on its way: controls are disabled. */
  readonly isSending: boolean
}
