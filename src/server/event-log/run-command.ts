import type { FieldError, PromptAnswer, PromptEnd } from '../../seam/prompt.ts'

/** What the user asks of a run that is under way. Plain JSON, so that it can go to another process. */
export type RunCommand =
  | { readonly name: 'cancel' }
  | { readonly name: 'answer'; readonly promptId: string; readonly answerId: string; readonly answer: PromptAnswer }
  | { readonly name: 'say'; readonly messageId: string; readonly text: string }

/** What a command may be called. */
export const COMMAND_NAMES: readonly RunCommand['name'][] = ['cancel', 'answer', 'say']

/**
 * How a run ended. After the last three the agent may still be working: `unconfirmed`: its function had not returned when the
 * log was closed. `interrupted`: the process that ran it no longer writes. `expired`: the log is gone.
 */
export type RunEndReason = 'finished' | 'cancelled' | 'failed' | 'unconfirmed' | 'interrupted' | 'expired'

/** What became of a command. Plain JSON. */
export type RunReply =
  /** It is in the log, now or by the same command before. */
  | { readonly result: 'accepted' }
  /** The prompt has another answer, or none and takes none any more. */
  | { readonly result: 'settled'; readonly state: PromptEnd; readonly answerId?: string | undefined }
  | { readonly result: 'unknown-prompt' }
  /** Nothing has changed: the prompt stays open. */
  | { readonly result: 'invalid'; readonly errors: readonly FieldError[] }
  | { readonly result: 'over'; readonly ended: RunEndReason }
  /** The message does not fit into what the log may still take. */
  | { readonly result: 'too-large' }
  /** A function of the app threw. Nothing has changed. */
  | { readonly result: 'failed' }
  /** Nobody knows whether it was carried out. The same command can be sent again. */
  | { readonly result: 'unavailable' }

/** Carries out the commands for one run, in the process that runs its agent. Never rejects. */
export type CommandHandler = (command: RunCommand) => Promise<RunReply>
